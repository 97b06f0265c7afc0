# kafka-python as a plain client: produces, consumes by assignment, asks for offsets. Prints one JSON line.
# usage: kafka-python-client.py BOOTSTRAP TOPIC COUNT
import json
import sys

from kafka import KafkaConsumer, KafkaProducer, TopicPartition

bootstrap, topic, count = sys.argv[1], sys.argv[2], int(sys.argv[3])

producer = KafkaProducer(bootstrap_servers=bootstrap, acks="all", linger_ms=5)
sent = [producer.send(topic, key=b"k%d" % i, value=b"v%d" % i, partition=0, timestamp_ms=1000 + i) for i in range(count)]
producer.flush(timeout=20)
offsets = [future.get(timeout=20).offset for future in sent]
producer.close()

consumer = KafkaConsumer(bootstrap_servers=bootstrap, enable_auto_commit=False, consumer_timeout_ms=20000)
partition = TopicPartition(topic, 0)
consumer.assign([partition])
consumer.seek_to_beginning(partition)
consumed = []
for record in consumer:
    consumed.append([record.offset, record.key.decode(), record.value.decode(), record.timestamp])
    if len(consumed) == count:
        break
at = consumer.offsets_for_times({partition: 1000 + count // 2})[partition]
beyond = consumer.offsets_for_times({partition: 1000 + count})[partition]
print(
    json.dumps(
        {
            "offsets": offsets,
            "consumed": consumed,
            "beginning": consumer.beginning_offsets([partition])[partition],
            "end": consumer.end_offsets([partition])[partition],
            "at": [at.offset, at.timestamp],
            "beyond": beyond,
        }
    )
)
consumer.close()
