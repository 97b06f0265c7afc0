// Differences between Apache Kafka 4.4 and Highwater that are meant, each with its reason.
import type { Allowed } from '../support/steps.ts';

export const ALLOWED: readonly Allowed[] = [];
