"""An idempotent producer of librdkafka: a record that is written and whose answer never comes expires, and the next one is sent.
Exit codes: 0 the first is told to be unknown, the next acknowledged; 10 otherwise.
Usage: librdkafka-expired.py TOPIC"""
import os, sys
from confluent_kafka import Producer

topic, = sys.argv[1:]
producer = Producer({'bootstrap.servers': os.environ['HIGHWATER_BOOTSTRAP'],
                     'client.id': os.environ['HIGHWATER_CLIENT_ID'], 'enable.idempotence': True, 'linger.ms': 0,
                     'message.timeout.ms': 3000, 'request.timeout.ms': 2000, 'socket.timeout.ms': 2500})
told = {}


def send(value):
    producer.produce(topic, value, partition=0,
                     on_delivery=lambda error, message: told.update({value: (error, message.offset())}))
    producer.flush(15)
    print(value, told.get(value), flush=True)


for each in ('before', 'expired', 'next', 'last'):
    send(each)
errors = {value: error for value, (error, _offset) in told.items()}
good = errors['before'] is None and errors['next'] is None and errors['last'] is None
sys.exit(0 if good and errors['expired'] is not None else 10)
