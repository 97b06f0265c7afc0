// What `highwater clients` prints for Kafka's console tools, as printed; the scripts that Kafka ships are written here.
import { expect, test } from 'vitest';
import { classpath, javaSide, SMALL_JVM } from '../support/java.ts';
import { paste } from '../support/pasted.ts';
import { serve } from '../support/served.ts';

const script = (main: string): string => `exec java ${SMALL_JVM.join(' ')} -cp '${classpath()}' ${main} "$@"`;

test.skipIf('missing' in javaSide())('the line for the console tools writes a record and reads it', async () => {
  const cluster = await serve({});
  try {
    const { status, stdout, stderr } = await paste('Java console tools', {
      ...{ bootstrap: cluster.bootstrap, topic: 'hello' },
      programs: {
        'kafka-console-producer.sh': script('org.apache.kafka.tools.ConsoleProducer'),
        'kafka-console-consumer.sh': script('org.apache.kafka.tools.consumer.ConsoleConsumer'),
      },
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('hello\n');
  } finally {
    await cluster.close();
  }
});
