# kafka-python as a member of a group, twice: the second reads on where the first has committed. Prints one JSON line.
# usage: kafka-python-group.py BOOTSTRAP GROUP TOPIC FIRST SECOND (how many messages each reads)
import json
import sys

from kafka import KafkaConsumer

bootstrap, group, topic, counts = sys.argv[1], sys.argv[2], sys.argv[3], [int(count) for count in sys.argv[4:6]]


def read(count):
    consumer = KafkaConsumer(
        topic,
        bootstrap_servers=bootstrap,
        group_id=group,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        session_timeout_ms=6000,
        max_poll_records=1,
        consumer_timeout_ms=20000,
    )
    values = []
    for record in consumer:
        values.append(record.value.decode())
        if len(values) == count:
            break
    consumer.commit()
    consumer.close()
    return values


print(json.dumps([read(count) for count in counts]))
