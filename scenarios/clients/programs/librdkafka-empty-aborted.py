"""A partition that holds the marker of an aborted transaction without a record, between committed data, and a reader of it. Exit
codes: 0 the reader is given all that is committed; 12 it is not (K-16); 13 the empty transaction could not be made.
Usage: librdkafka-empty-aborted.py TOPIC TRANSACTIONAL_ID: the record of TRANSACTIONAL_ID-empty is to be refused for good."""
import os, sys, time
from confluent_kafka import Consumer, Producer, TopicPartition

topic, transactional_id = sys.argv[1:]
common = {'bootstrap.servers': os.environ['HIGHWATER_BOOTSTRAP'], 'client.id': os.environ['HIGHWATER_CLIENT_ID']}


def producer(name):
    made = Producer({**common, 'transactional.id': f'{transactional_id}-{name}', 'linger.ms': 0})
    made.init_transactions(20)
    return made


def write(to, *values):
    to.begin_transaction()
    for value in values:
        to.produce(topic, value, partition=0)
    to.flush(10)


full, empty = producer('full'), producer('empty')
write(full, 'c0')
full.commit_transaction(10)
refused = []
empty.begin_transaction()
empty.produce(topic, 'refused', partition=0, on_delivery=lambda error, _message: refused.append(error))
empty.flush(10)
if not refused or refused[0] is None:
    sys.exit(13)
empty.abort_transaction(10)
write(full, 'c1', 'c2', 'c3')
full.commit_transaction(10)

consumer = Consumer({**common, 'group.id': 'k16', 'isolation.level': 'read_committed', 'enable.auto.commit': False})
consumer.assign([TopicPartition(topic, 0, 0)])
seen, end = [], time.monotonic() + 10
while len(seen) < 4 and time.monotonic() < end:
    message = consumer.poll(0.2)
    if message is not None and message.error() is None:
        seen.append(message.value().decode())
print('given', seen, flush=True)
consumer.close()
sys.exit(0 if seen == ['c0', 'c1', 'c2', 'c3'] else 12)
