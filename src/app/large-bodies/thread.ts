import { platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { examine, type LargeRequest } from '../../platform/http/examine.ts';
import { endpointsById } from './endpoints.ts';

// On Linux each thread has its own priority. A lower one lets small requests run first.
if (platform() === 'linux') setPriority(10);

const endpoints = endpointsById();

/** The entry point of the thread that parses and validates large bodies, one at a time. */
parentPort?.on('message', (request: LargeRequest) => {
  const endpoint = endpoints.get(request.endpointId);
  if (!endpoint) throw new Error(`there is no endpoint '${request.endpointId}'`);
  parentPort?.postMessage(examine(endpoint, request));
});
