"""Two transactions of librdkafka: the first is committed, although its first request to commit stalls; the second, of two records,
is aborted. Exit codes: 0 the application is told so; 10 otherwise.
Usage: librdkafka-next-transaction.py FIRST SECOND TRANSACTIONAL_ID [PREFIX]: of its values"""
import os, sys, time
from confluent_kafka import KafkaException, Producer

first, second, transactional_id, prefix = (*sys.argv[1:], '')[:4]
producer = Producer({'bootstrap.servers': os.environ['HIGHWATER_BOOTSTRAP'], 'client.id': os.environ['HIGHWATER_CLIENT_ID'],
                     'transactional.id': transactional_id, 'linger.ms': 0, 'socket.timeout.ms': 1500,
                     'transaction.timeout.ms': 20000, 'retry.backoff.ms': 100})


def until_done(act):
    """Again as long as the error is retriable."""
    end = time.monotonic() + 20
    while True:
        try:
            return act(10)
        except KafkaException as error:
            print(act.__name__, error, flush=True)
            if not error.args[0].retriable() or time.monotonic() > end:
                sys.exit(10)


def send(topic, value):
    producer.produce(topic, prefix + value, partition=0)
    producer.flush(10)


until_done(producer.init_transactions)
producer.begin_transaction()
send(first, 'a1')
until_done(producer.commit_transaction)
producer.begin_transaction()
send(first, 'b1')
time.sleep(2)
send(second, 'b2')
until_done(producer.abort_transaction)
