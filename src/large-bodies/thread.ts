import { platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { examine, type LargeRequest } from '../platform/http/examine.ts';
import { endpointsById } from './endpoints.ts';

// On Linux a thread has its own priority, so that small requests go first.
if (platform() === 'linux') setPriority(10);

const endpoints = endpointsById();

/** The entry of the thread that parses and validates large bodies, one after the other. */
parentPort?.on('message', (request: LargeRequest) => {
  const endpoint = endpoints.get(request.endpointId);
  if (!endpoint) throw new Error(`there is no endpoint '${request.endpointId}'`);
  parentPort?.postMessage(examine(endpoint, request));
});
