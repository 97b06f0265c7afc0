# librdkafka as a benchmark's client. Prints a JSON line: megabytes a second of acks=all, and each commit's milliseconds.
# usage: librdkafka.py BOOTSTRAP TOPIC SECONDS BYTES COMMITS
import json
import sys
import time

from confluent_kafka import Producer

bootstrap, topic = sys.argv[1], sys.argv[2]
seconds, size, commits = float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])

value = b"x" * size
delivered = 0


def count(error, message):
    global delivered
    if error is not None:
        raise SystemExit(str(error))
    delivered += 1


plain = Producer({"bootstrap.servers": bootstrap, "acks": "all", "linger.ms": 5, "queue.buffering.max.messages": 20000})
began = time.monotonic()
while time.monotonic() - began < seconds:
    try:
        plain.produce(topic, value, on_delivery=count)
        plain.poll(0)
    except BufferError:
        plain.poll(0.01)
plain.flush(30)
rate = delivered * size / 1e6 / (time.monotonic() - began)

transactional = Producer({"bootstrap.servers": bootstrap, "transactional.id": "bench-librdkafka", "linger.ms": 0})
transactional.init_transactions(30)
took = []
for _ in range(commits):
    transactional.begin_transaction()
    transactional.produce(topic, value)
    transactional.flush(30)
    began = time.monotonic()
    transactional.commit_transaction(30)
    took.append((time.monotonic() - began) * 1000)
print(json.dumps({"rate": rate, "commits": took}))
