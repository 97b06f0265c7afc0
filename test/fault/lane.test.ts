// What leaves a lane in which order when faults follow each other on one message, and the stream has been ended behind it.
import { beforeEach, describe, expect, test } from 'vitest';
import { Lane, type InLane } from '../../src/fault/lane.ts';

let lane: Lane;
let sent: string[];
beforeEach(() => {
  [lane, sent] = [new Lane(true), []];
});
const enter = (name: string): InLane => lane.enter(() => sent.push(name));
const end = (): void => lane.finish(() => sent.push('end'));
const twice = (message: InLane): void =>
  message.together(() => {
    message.go();
    message.go();
  });

describe('the end of a stream is behind all that was sent', () => {
  test('what was held, and is to be overtaken then: nothing overtakes it any more', () => {
    const message = enter('a');
    end();
    message.swap(() => sent.push('overtaken'))();
    expect(sent).toEqual(['a', 'end']);
  });

  test('several that wait to be overtaken leave in their order', () => {
    const messages = [enter('a'), enter('b')];
    messages[1]!.swap(() => sent.push('overtaken'));
    end();
    messages[0]!.swap(() => sent.push('overtaken'));
    expect(sent).toEqual(['a', 'b', 'end']);
  });

  test('what another message behind it can overtake still is', () => {
    const messages = [enter('a'), enter('b')];
    end();
    messages[0]!.swap(() => sent.push('overtaken'));
    messages[1]!.go();
    expect(sent).toEqual(['b', 'a', 'overtaken', 'end']);
  });

  test('both copies of what was held, also if each is doubled once more', () => {
    const [a, b] = [enter('a'), enter('b')];
    end();
    twice(a);
    b.together(() => {
      twice(b);
      twice(b);
    });
    expect(sent).toEqual(['a', 'a', 'b', 'b', 'b', 'b', 'end']);
  });

  test('and comes once, however often it is asked for', () => {
    const message = enter('a');
    end();
    end();
    message.drop();
    expect(sent).toEqual(['end']);
  });
});
