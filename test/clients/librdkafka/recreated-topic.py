# A consumer of confluent-kafka-python goes on while its topic is deleted and created anew. Prints one JSON line.
# usage: recreated-topic.py BOOTSTRAP TOPIC
import json
import sys
import time

from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient, NewTopic

bootstrap, topic = sys.argv[1], sys.argv[2]
MAX_S = 60
admin = AdminClient({"bootstrap.servers": bootstrap})
consumer = Consumer(
    {
        "bootstrap.servers": bootstrap,
        "group.id": "of-" + topic,
        "auto.offset.reset": "earliest",
        "topic.metadata.refresh.interval.ms": 500,
    }
)


def create():
    end = time.monotonic() + MAX_S
    while True:
        try:
            admin.create_topics([NewTopic(topic, 1, 3)])[topic].result(20)
            return
        except Exception:  # The old one may still be there as far as a broker knows.
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def produce(values):
    producer = Producer({"bootstrap.servers": bootstrap, "acks": "all"})
    for value in values:
        producer.produce(topic, value, partition=0)
    if producer.flush(MAX_S) > 0:
        sys.exit("not all was acknowledged")


def consume(count):
    """Values and offsets, and which errors came on the way."""
    seen, errors = [], []
    end = time.monotonic() + MAX_S
    while len(seen) < count and time.monotonic() < end:
        message = consumer.poll(0.2)
        if message is None:
            continue
        if message.error():
            errors.append(message.error().name())
        else:
            seen.append([message.offset(), message.value().decode()])
    return seen, errors


create()
consumer.subscribe([topic])
produce(["a%d" % i for i in range(10)])
before, _ = consume(10)
admin.delete_topics([topic])[topic].result(20)
create()
produce(["b%d" % i for i in range(4)])
after, errors = consume(4)
print(json.dumps({"before": before, "after": after, "errors": errors}))
consumer.close()
