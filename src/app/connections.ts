/** Few are enough: each query takes a millisecond, and its result is cached for a second. */
export const gateConnections = 4;
/** Few are enough: each read takes a few milliseconds, and long ones use other connections. */
export const readConnections = 4;
export const searchConnections = (poolMax: number): number => Math.max(2, poolMax - 4);

/** Of the background work. One claims deliveries, one stores outcomes, one cleans up after dead instances. */
export const queueConnections = 3;
/** Of the background work. */
export const backgroundWriteConnections = 2;

/** The server and its background work each listen for notifications of other instances. */
const listeners = 2;

/** Returns the maximum number of connections of an instance with this pool size. */
export const connectionsWith = (poolMax: number): number =>
  poolMax +
  readConnections +
  searchConnections(poolMax) +
  gateConnections +
  queueConnections +
  backgroundWriteConnections +
  listeners;

const leastPool = 2;

/** Returns the largest pool size, up to the configured one, that keeps an instance within the available connections. */
export function fittingPool(configured: number, available: number): number {
  let poolMax = configured;
  while (poolMax > leastPool && connectionsWith(poolMax) > available) poolMax -= 1;
  return poolMax;
}
