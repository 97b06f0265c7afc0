# Copies a topic to another, exactly once: consumes, produces, and commits what it has read inside the transaction. Prints a
# JSON line for each step; at the step that it is told to hold, it waits for ever, to be killed there.
# usage: copy-loop.py BOOTSTRAP TRANSACTIONAL_ID GROUP FROM TO [HOLD_STEP HOLD_NTH]
import json
import sys
import time

from confluent_kafka import Consumer, KafkaException, Producer

bootstrap, transactional_id, group, source, target = sys.argv[1:6]
hold_step, hold_nth = (sys.argv[6], int(sys.argv[7])) if len(sys.argv) > 6 else (None, 0)
counts = {}


def step(name, **more):
    counts[name] = counts.get(name, 0) + 1
    print(json.dumps({"step": name, **more}), flush=True)
    while name == hold_step and counts[name] == hold_nth:
        time.sleep(60)


def retried(call, *args):
    while True:
        try:
            return call(*args)
        except KafkaException as error:
            if not error.args[0].retriable():
                raise


consumer = Consumer(
    {
        "bootstrap.servers": bootstrap,
        "group.id": group,
        # The same member, whoever runs it: nobody waits for the session of the one before.
        "group.instance.id": transactional_id,
        "session.timeout.ms": 6000,
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
        "isolation.level": "read_committed",
        "fetch.wait.max.ms": 50,
    }
)
producer = Producer({"bootstrap.servers": bootstrap, "transactional.id": transactional_id, "linger.ms": 0})
retried(producer.init_transactions, 20)
step("ready")


def rewind():
    for position in consumer.committed(consumer.assignment(), timeout=20):
        if position.offset < 0:
            position.offset = 0
        consumer.seek(position)


def copy(messages):
    producer.begin_transaction()
    for message in messages:
        producer.produce(target, value=message.value(), partition=message.partition())
    producer.flush(20)
    step("written", values=[message.value().decode() for message in messages])
    positions = consumer.position(consumer.assignment())
    retried(producer.send_offsets_to_transaction, [p for p in positions if p.offset >= 0], consumer.consumer_group_metadata(), 20)
    step("offsets")
    retried(producer.commit_transaction, 20)
    step("committed", count=len(messages))


consumer.subscribe([source])
while True:
    messages = [m for m in consumer.consume(10, 0.2) if m.error() is None]
    if not messages:
        continue
    try:
        copy(messages)
    except KafkaException as error:
        cause = error.args[0]
        step("failed", why=str(cause))
        if cause.txn_requires_abort():
            retried(producer.abort_transaction, 20)
            rewind()
        else:
            raise
