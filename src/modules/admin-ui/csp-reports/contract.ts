import { Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { named } from '../../../platform/contract/schema.ts';

export const cspReportsPath = '/csp-reports';

export const cspReportsContract = {
  reportCspViolations: endpoint({
    method: 'POST',
    path: cspReportsPath,
    id: 'reportCspViolations',
    tag: 'Admin UI',
    summary: 'Report violations of the content security policy',
    description:
      'Browsers send `application/csp-report` or `application/reports+json`. The log gets one line an hour for each directive and blocked host. Other content is ignored.',
    permission: 'public',
    duringMaintenance: true,
    bodyLimitBytes: 16 * 1024,
    body: named('cspReportsSchema', Type.Unknown()),
    status: 204,
  }),
};
