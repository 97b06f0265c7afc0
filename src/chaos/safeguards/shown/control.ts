// Where each is shown: protections of who leads and who is in sync: elections, ISR, registration, reassignment.
import type { CONTROL_SAFEGUARDS } from '../../../fault/safeguards/control.ts';
import { inCorpus, inSafeguard, type ShownAs } from './shown-as.ts';

/** In the order of their table. */
export const SHOWN_CONTROL: ShownAs<keyof typeof CONTROL_SAFEGUARDS> = {
  'elect.clean': { file: inCorpus('bug-03-lone-leader'), off: 'no-clean', on: 'kafka', finds: 'lost-write' },
  'elect.elr': { file: inCorpus('bug-04-last-replica'), off: 'no-elr', on: 'kafka', finds: 'lost-write' },
  'isr.partitionEpoch': { file: inSafeguard('stale-proposal'), off: 'no-cas', on: 'kafka', finds: 'lost-write' },
  'isr.eligible': { file: inCorpus('bug-88-leaving-member'), off: 'no-eligible', on: 'kafka', finds: 'repl I-11' },
  'isr.brokerEpoch': {
    file: inCorpus('bug-05-wiped-member'),
    off: 'no-broker-epoch',
    on: 'kafka',
    finds: 'lost-write',
  },
  'ctl.epochFence': {
    test: 'test/controller/registration.test.ts',
    why: 'it takes a request of a process that is gone: here what a process holds back dies with it',
  },
  'ctl.durable': { file: inSafeguard('forgotten-election'), off: 'told-early', on: 'kafka', finds: 'double-leader' },
  'reassign.waitAll': {
    test: 'test/controller/reassignment.test.ts',
    why: 'it takes the loss of a disk too, after which whoever led last is elected: the loss that BUG-87 shows counts as legal',
  },
};
