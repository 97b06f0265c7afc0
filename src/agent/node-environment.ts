// The environment of a node's process. What a user set himself stays.

/**
 * How glibc's allocator keeps memory. By default a buffer of a batch's size is mapped for itself and given back when it is free:
 * each batch then costs fresh pages, which the kernel zeroes one by one, three times on a leader. With these, freed memory
 * is used again, and a node's memory stays at its peak. Other allocators do not read them.
 */
const ALLOCATOR = {
  /** Bytes; the largest value that every glibc takes. */
  MALLOC_MMAP_THRESHOLD_: '33554432',
  MALLOC_TRIM_THRESHOLD_: '268435456',
  MALLOC_TOP_PAD_: '16777216',
} as const;

/** What a node's process is started with, given what its supervisor runs with. */
export function nodeEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // Options of the supervisor's Node are not the node's: an inspector's port, for one, is taken.
  return { ...ALLOCATOR, ...own, NODE_OPTIONS: '' };
}
