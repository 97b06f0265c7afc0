"""One transaction of librdkafka with three records, each in a request of its own, as the documentation says: what is abortable is aborted and done again, what is
retriable is done again. Exit codes: 0 committed at once; 20 aborted when told to, and committed then; 10 neither.
Usage: librdkafka-transaction.py TOPIC TRANSACTIONAL_ID [GROUP]: with a group, offsets of it are part of the transaction."""
import os, sys, time
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

topic, transactional_id, *group = sys.argv[1:]
common = {'bootstrap.servers': os.environ['HIGHWATER_BOOTSTRAP'], 'client.id': os.environ['HIGHWATER_CLIENT_ID']}
producer = Producer({**common, 'transactional.id': transactional_id, 'linger.ms': 0, 'transaction.timeout.ms': 20000,
                     'retry.backoff.ms': 100, 'batch.num.messages': 1})
END = time.monotonic() + 20


def until_done(act, *args):
    """Again as long as the error is retriable."""
    while True:
        try:
            return act(*args)
        except KafkaException as error:
            print(act.__name__, error, flush=True)
            if not error.args[0].retriable() or time.monotonic() > END:
                raise


consumer = None
if group:
    consumer = Consumer({**common, 'group.id': group[0], 'enable.auto.commit': False})
    consumer.subscribe([topic])
    while not consumer.assignment():
        consumer.poll(0.1)

until_done(producer.init_transactions, 10)
aborts = 0
while True:
    try:
        producer.begin_transaction()
        producer.produce(topic, f'{transactional_id}-first-{aborts}', partition=0)
        producer.flush(10)
        for value in ('second', 'third'):
            producer.produce(topic, f'{transactional_id}-{value}-{aborts}', partition=0)
        producer.flush(10)
        if consumer is not None:
            offsets = [TopicPartition(topic, 0, 0)]
            until_done(producer.send_offsets_to_transaction, offsets, consumer.consumer_group_metadata(), 10)
        until_done(producer.commit_transaction, 10)
        break
    except KafkaException as error:
        print('transaction', error, flush=True)
        if not error.args[0].txn_requires_abort() or time.monotonic() > END:
            sys.exit(10)
        until_done(producer.abort_transaction, 10)
        aborts += 1
if consumer is not None:
    consumer.close()
sys.exit(20 if aborts else 0)
