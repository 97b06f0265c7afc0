# kafka-python's KafkaAdminClient, which speaks the oldest versions: topics, partitions and settings. Prints one JSON line.
# usage: kafka-python-admin.py BOOTSTRAP TOPIC
import json
import sys
import time

from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient, NewPartitions, NewTopic
from kafka.errors import KafkaError

bootstrap, topic = sys.argv[1], sys.argv[2]
admin = KafkaAdminClient(bootstrap_servers=bootstrap, request_timeout_ms=20000)


def attempt(work):
    """None or the name of the error."""
    try:
        work()
        return None
    except KafkaError as error:
        return type(error).__name__


def settings(*names):
    resource = ConfigResource(ConfigResourceType.TOPIC, topic)
    configs = {}
    for response in admin.describe_configs([resource]):
        for entry in response.resources[0][4]:
            configs[entry[0]] = entry[1]
    return {name: configs[name] for name in names}


def once(expected, ask):
    """Brokers tell what they have heard of: asks again, for 30 seconds at most, until the answer is the expected one."""
    end = time.monotonic() + 30
    while True:
        try:
            answer = ask()
        except (KafkaError, LookupError) as error:
            answer = repr(error)
        if answer == expected or time.monotonic() > end:
            return answer
        time.sleep(0.05)


told = {}
new = NewTopic(topic, num_partitions=2, replication_factor=3, topic_configs={"segment.bytes": "1000000"})
told["created"] = attempt(lambda: admin.create_topics([new]))
told["again"] = attempt(lambda: admin.create_topics([new]))
told["listed"] = once(True, lambda: topic in admin.list_topics())
told["settings"] = once(
    {"segment.bytes": "1000000", "cleanup.policy": "delete"}, lambda: settings("segment.bytes", "cleanup.policy")
)
resource = ConfigResource(ConfigResourceType.TOPIC, topic, configs={"retention.ms": "5000"})
told["altered"] = attempt(lambda: admin.alter_configs([resource]))
told["settingsAfter"] = once(
    {"retention.ms": "5000", "segment.bytes": "1073741824"}, lambda: settings("retention.ms", "segment.bytes")
)
told["grown"] = attempt(lambda: admin.create_partitions({topic: NewPartitions(3)}))
told["partitions"] = once(3, lambda: len(admin.describe_topics([topic])[0]["partitions"]))
told["brokers"] = sorted(broker["node_id"] for broker in admin.describe_cluster()["brokers"])
told["groups"] = admin.list_consumer_groups()
told["deleted"] = attempt(lambda: admin.delete_topics([topic]))
told["deletedAgain"] = attempt(lambda: admin.delete_topics([topic]))
print(json.dumps(told))
admin.close()
