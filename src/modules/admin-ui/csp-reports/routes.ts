import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../../platform/caller-address.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { cspReportsContract } from './contract.ts';
import { createViolationLog } from './violation-log.ts';
import { readViolations } from './violations.ts';

const contentTypes = ['application/csp-report', 'application/reports+json'];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const cspReportsUseCase = defineUseCase({
  contract: cspReportsContract,
  routes: ({ log, clock }) => {
    const violations = createViolationLog(log, clock);
    return {
      reportCspViolations: ({ body }, { request }) => {
        if (violations.takes(callerOf(request.ip))) {
          for (const violation of readViolations(body)) violations.write(violation);
        }
        return undefined;
      },
    };
  },
  // No other route accepts these types: any site can make a browser send them anywhere.
  inside: (app, _services, register) => {
    app.register(async (part) => {
      part.addContentTypeParser(
        contentTypes,
        { parseAs: 'string' },
        async (_request: FastifyRequest, text: string) => parsed(text),
      );
      register(part);
    });
  },
});
