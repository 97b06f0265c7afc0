// highwater/testcontainers: a cluster in containers for the tests of an application, and every way to break it. Needs the
// package testcontainers, and the image (`npm run image`).
export { HighwaterContainer, StartedHighwaterContainer } from './container.ts';
export { HighwaterNetwork, StartedHighwaterNetwork } from './network.ts';
export type { HighwaterCluster, Election } from './cluster.ts';
export type { ArmedFault, FaultRequest, FaultStatus, Faults, Within } from './faults.ts';
export type { NodeContainer } from './node-container.ts';
export type { Nodes, StartHow } from './nodes.ts';
export type { TopicShape } from './settings.ts';
export { StartFailed } from './start-failed.ts';
export { HighwaterError, type ConnectOptions, type HighwaterClient } from '../client/index.ts';
export { Problem } from '../cli/problem.ts';
