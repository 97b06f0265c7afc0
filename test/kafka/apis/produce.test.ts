// Produce beyond its bytes: what the broker is asked, and what of its answers goes out at which version.
import { describe, expect, test } from 'vitest';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import { encodeOpaqueBatch } from '../../../src/log/encode-batch.ts';
import { BAD_BATCHES } from '../bad-batches.ts';
import { batchOf, PRODUCE, produceBody, TIME } from '../bodies.ts';
import type { Struct } from '../generic-codec.ts';
import { aServedTopic, first } from './served-topic.ts';

const { served, ask } = aServedTopic();
const REFUSED = { topic: 't', partition: 0, baseOffset: -1, logAppendTimeMs: -1, logStartOffset: -1, leaderEpoch: -1 };

describe('Produce', () => {
  const produce = async (version: number, body: Struct) =>
    first(first((await ask(PRODUCE, version, body))['responses'])['partitionResponses']);

  test('wire W-73: offsets of what was appended, fields by version', async () => {
    expect(await produce(3, produceBody(1, batchOf('a', 'b')))).toEqual({
      ...{ index: 0, errorCode: 0, baseOffset: 0, logAppendTimeMs: -1 },
    });
    expect(await produce(5, produceBody(-1))).toMatchObject({ baseOffset: 2, logStartOffset: 0 });
    expect(await produce(9, produceBody(1))).toEqual({
      ...{ index: 0, errorCode: 0, baseOffset: 3, logAppendTimeMs: -1, logStartOffset: 0 },
      ...{ recordErrors: [], errorMessage: null },
    });
    expect(
      served()
        .broker.log('t')
        .records()
        .map(({ value }) => value?.toString()),
    ).toEqual(['a', 'b', 'a', 'a']);
  });

  test.each(BAD_BATCHES)(
    'wire 6.3, ladder 9: $name is refused and the log unchanged',
    async ({ records, errorCode }) => {
      await produce(7, produceBody(1, batchOf('before')));
      for (const version of [3, 9]) {
        expect(await produce(version, produceBody(-1, records))).toMatchObject({ errorCode, baseOffset: -1, index: 0 });
      }
      expect(served().broker.log('t').batches).toHaveLength(1);
    },
  );

  test('wire 6.3: null records are refused as empty ones', async () => {
    expect(await produce(7, produceBody(1, null))).toMatchObject({ errorCode: 87 });
    expect(await produce(7, produceBody(1, Buffer.alloc(0)))).toMatchObject({ errorCode: 87 });
  });

  test('repl R-117: zstd is refused below v7', async () => {
    const times = { baseTimestamp: TIME, maxTimestamp: TIME };
    const zstd = encodeOpaqueBatch({ codec: 'zstd', body: Buffer.from('opaque'), recordCount: 1, ...times });
    expect(await produce(6, produceBody(1, zstd))).toMatchObject({ errorCode: 76 });
    expect(await produce(7, produceBody(1, zstd))).toMatchObject({ errorCode: 0 });
  });

  test('wire W-71: acks that do not exist are error 21', async () => {
    for (const acks of [2, -2, 32_767]) expect(await produce(7, produceBody(acks))).toMatchObject({ errorCode: 21 });
  });

  test('wire W-73: a message goes out with record errors only', async () => {
    served().broker.produce = (request, _origin, answer) => {
      const refused = { ...REFUSED, underlyingError: 'NONE' as const };
      const recordErrors = [{ batchIndex: 1, message: 'no key' }];
      const { correlationId, acks } = request;
      const withErrors = { ...refused, error: 'INVALID_RECORD' as const, errorMessage: 'null key', recordErrors };
      const without = { ...refused, error: 'MESSAGE_TOO_LARGE' as const, errorMessage: 'too large', recordErrors: [] };
      answer({ correlationId, partitions: [acks === 1 ? withErrors : without] });
      return () => undefined;
    };
    expect(await produce(8, produceBody(1))).toMatchObject({
      ...{ errorCode: 87, errorMessage: 'null key' },
      recordErrors: [{ batchIndex: 1, batchIndexErrorMessage: 'no key' }],
    });
    expect(await produce(8, produceBody(-1))).toMatchObject({ errorCode: 10, errorMessage: null, recordErrors: [] });
    expect(await produce(7, produceBody(1))).toEqual({
      ...{ index: 0, errorCode: 87, baseOffset: -1, logAppendTimeMs: -1, logStartOffset: -1 },
    });
  });

  test('wire W-74, txn T-121: an error that stands for another says for which, from v8 on', async () => {
    let underlyingError: ErrorName = 'NONE';
    served().broker.produce = ({ correlationId }, _origin, answer) => {
      const error = 'NOT_ENOUGH_REPLICAS' as const;
      const errorMessage = 'the coordinator of tx says NOT_COORDINATOR';
      answer({ correlationId, partitions: [{ ...REFUSED, error, errorMessage, underlyingError, recordErrors: [] }] });
      return () => undefined;
    };
    expect(await produce(9, produceBody(-1))).toMatchObject({ errorCode: 19, errorMessage: null });
    underlyingError = 'NOT_COORDINATOR';
    const errorMessage = expect.stringContaining('NOT_COORDINATOR') as string;
    for (const version of [8, 9, 12])
      expect(await produce(version, produceBody(-1))).toMatchObject({ errorCode: 19, errorMessage });
    expect(await produce(7, produceBody(-1))).not.toHaveProperty('errorMessage');
  });

  test('txn T-121: TRANSACTION_ABORTABLE is INVALID_TXN_STATE to those who do not know it', async () => {
    served().broker.produce = ({ correlationId }, _origin, answer) => {
      const refused = { ...REFUSED, underlyingError: 'NONE' as const };
      const error = 'TRANSACTION_ABORTABLE' as const;
      answer({ correlationId, partitions: [{ ...refused, error, errorMessage: '', recordErrors: [] }] });
      return () => undefined;
    };
    for (const version of [3, 9]) expect(await produce(version, produceBody(-1))).toMatchObject({ errorCode: 48 });
  });

  test('repl R-117 (6): the broker is told who asks, "" for nobody', async () => {
    const asked: string[] = [];
    const { broker } = served();
    const produced = broker.produce.bind(broker);
    broker.produce = (request, origin, answer) => {
      asked.push(request.clientId, request.transactionalId);
      return produced(request, origin, answer);
    };
    await ask(PRODUCE, 9, produceBody(1), '__admin_client');
    const client = served().client();
    await client.ask(PRODUCE, 9, { ...produceBody(1), transactionalId: 'tx' }, { clientId: null });
    expect(asked).toEqual(['__admin_client', '', '', 'tx']);
  });
});
