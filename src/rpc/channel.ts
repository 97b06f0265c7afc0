// Connections to other nodes: how gRPC is set up on both sides (design section 5), and one client per peer.
import grpc from '@grpc/grpc-js';
import type { ChannelOptions, Client } from '@grpc/grpc-js';

// gRPC would print what we say in a sentence of our own. GRPC_VERBOSITY brings it back.
if (process.env['GRPC_VERBOSITY'] === undefined) grpc.setLogVerbosity(grpc.logVerbosity.NONE);

/** The largest message: fetch.max.bytes and one batch over it, with room for everything around them. */
export const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

/** Detects a broken connection. Shorter times kill a healthy one whenever an event loop stalls for 300 ms. */
const KEEPALIVE = { 'grpc.keepalive_time_ms': 1000, 'grpc.keepalive_timeout_ms': 2000 } as const;

/** Options of a client. `messageBytesMax` bounds both directions. */
export function clientOptions(messageBytesMax: number): ChannelOptions {
  return {
    ...KEEPALIVE,
    'grpc.max_send_message_length': messageBytesMax,
    'grpc.max_receive_message_length': messageBytesMax,
    // With the defaults a restarted peer is reached only 0.5 to 2.7 s after it is ready.
    'grpc.initial_reconnect_backoff_ms': 10,
    'grpc.max_reconnect_backoff_ms': 100,
    'grpc.dns_min_time_between_resolutions_ms': 100,
    'grpc-node.flow_control_window': 8 * 1024 * 1024,
    // A retry could execute a request twice: the cores retry, and they know when.
    'grpc.enable_retries': 0,
    // Without a buffer for retries a write callback means that the bytes are in the socket, not in that buffer.
    'grpc.per_rpc_retry_buffer_size': 0,
    'grpc.enable_http_proxy': 0,
    'grpc.enable_channelz': 0,
    'grpc.service_config_disable_resolution': 1,
    // Two nodes in one process (tests, clients) must not share a connection.
    'grpc.use_local_subchannel_pool': 1,
  };
}

/** Options of a server. */
export function serverOptions(messageBytesMax: number): ChannelOptions {
  return {
    ...KEEPALIVE,
    'grpc.max_send_message_length': messageBytesMax,
    'grpc.max_receive_message_length': messageBytesMax,
    // Channelz stays on here: without it forceShutdown leaves every connection open.
    'grpc.max_concurrent_streams': 10_000,
  };
}

/** "[::1]:9092" or "broker-1:9092". */
export function formatAddress(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A client without services: methods are called by path, with bytes that are encoded already. */
export function createChannel(host: string, port: number, messageBytesMax: number): Client {
  return new grpc.Client(formatAddress(host, port), grpc.credentials.createInsecure(), clientOptions(messageBytesMax));
}

/** Encoding happens before gRPC sees a message, so that it is a copy of the moment it was sent. */
export const asIs = (bytes: Buffer): Buffer => bytes;
