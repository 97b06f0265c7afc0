// The conformance suites of the runtime ports. A test file of an implementation is one line a port:
// `describe('store', () => conformance(STORE_SUITE, openHarness))`.
export { conformance, type Case, type Harness } from './harness.ts';
export { CLOCK_SUITE, RANDOM_SUITE, type ClockHarness, type RandomHarness } from './clock-suite.ts';
export { NETWORK_SUITE } from './network-suite.ts';
export { NOBODY, type NetworkHarness } from './network-harness.ts';
export { STORE_SUITE, type StoreHarness } from './store-suite.ts';
export { TRACE_SUITE, type TraceHarness } from './trace-suite.ts';
