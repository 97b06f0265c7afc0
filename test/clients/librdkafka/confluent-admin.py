# confluent-kafka-python's AdminClient: topics, partitions and settings from creation to deletion. Prints one JSON line.
# usage: confluent-admin.py BOOTSTRAP TOPIC
import json
import sys
import time

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, ConfigResource, NewPartitions, NewTopic

bootstrap, topic = sys.argv[1], sys.argv[2]
admin = AdminClient({"bootstrap.servers": bootstrap})


def outcome(futures):
    """None or the name of the error, by topic or resource."""
    told = {}
    for key, future in futures.items():
        try:
            future.result(20)
            told[str(key.name if hasattr(key, "name") and not isinstance(key, str) else key)] = None
        except KafkaException as error:
            told[str(key.name if hasattr(key, "name") and not isinstance(key, str) else key)] = error.args[0].name()
    return told


def settings(*names):
    resource = ConfigResource(ConfigResource.Type.TOPIC, topic)
    described = admin.describe_configs([resource])[resource].result(20)
    return {name: described[name].value for name in names}


def partitions():
    return len(admin.list_topics(topic, timeout=20).topics[topic].partitions)


def topics():
    return [name for name in admin.list_topics(timeout=20).topics if name.startswith(topic)]


def once(expected, ask):
    """Brokers tell what they have heard of: asks again, for 30 seconds at most, until the answer is the expected one."""
    end = time.monotonic() + 30
    while True:
        try:
            answer = ask()
        except KafkaException as error:
            answer = str(error)
        if answer == expected or time.monotonic() > end:
            return answer
        time.sleep(0.05)


told = {}
new = NewTopic(topic, num_partitions=2, replication_factor=3, config={"retention.ms": "60000"})
told["validated"] = outcome(admin.create_topics([new], validate_only=True))
told["created"] = outcome(admin.create_topics([new]))
told["again"] = outcome(admin.create_topics([new]))
told["byHand"] = outcome(admin.create_topics([NewTopic(topic + "-by-hand", 1, replica_assignment=[[3, 1]])]))
told["settings"] = once(
    {"retention.ms": "60000", "cleanup.policy": "delete"}, lambda: settings("retention.ms", "cleanup.policy")
)
told["altered"] = outcome(
    admin.alter_configs([ConfigResource(ConfigResource.Type.TOPIC, topic, set_config={"min.insync.replicas": "2"})])
)
told["unknownSetting"] = outcome(
    admin.alter_configs([ConfigResource(ConfigResource.Type.TOPIC, topic, set_config={"no.such": "2"})])
)
# Replaced as a whole.
told["settingsAfter"] = once(
    {"retention.ms": "604800000", "min.insync.replicas": "2"}, lambda: settings("retention.ms", "min.insync.replicas")
)
broker = ConfigResource(ConfigResource.Type.BROKER, "1")
told["broker"] = admin.describe_configs([broker])[broker].result(20)["offsets.topic.num.partitions"].value
told["grown"] = outcome(admin.create_partitions([NewPartitions(topic, 4)]))
told["notGrown"] = outcome(admin.create_partitions([NewPartitions(topic, 3)]))
told["partitions"] = once(4, partitions)
told["deleted"] = outcome(admin.delete_topics([topic]))
told["deletedAgain"] = outcome(admin.delete_topics([topic]))
told["left"] = once([topic + "-by-hand"], topics)
print(json.dumps(told))
