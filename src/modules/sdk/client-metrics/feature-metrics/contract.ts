import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { dictionary, instant, named } from '../../../../platform/contract/schema.ts';

const tag = 'Metrics';
const count = Type.Integer({ minimum: 0 });
const version = Type.Integer({ description: 'Version of the response format: 1' });
const maturity = Type.String({ description: 'stable' });
const featureName = Type.String();
const params = Type.Object({ featureName });
/** The name of a feature determines its project. */
const scopeOf = 'featureName';

/** The longest possible retention of counts. */
export const maxHoursBack = 10 * 365 * 24;

/** The most features in a request. The UI sends one for a hundred rows. */
const maxFeatures = 250;

export const featureMetricsContract = {
  countEvaluations: endpoint({
    method: 'POST',
    path: '/api/admin/client-metrics/evaluations',
    id: 'getFeatureEvaluations',
    tag,
    summary: 'Count the evaluations of several features',
    description:
      'In all environments or one, over the last 24 hours or 7 days. Omits features that were not evaluated, do not exist, or are in projects that you cannot see.',
    permission: 'none',
    duringMaintenance: true,
    body: named(
      'featureEvaluationsRequestSchema',
      Type.Object({
        features: Type.Array(Type.String({ maxLength: 100 }), { maxItems: maxFeatures }),
        environment: Type.Optional(Type.String({ maxLength: 100 })),
        hours: withDefault(Type.Unsafe<24 | 168>({ type: 'integer', enum: [24, 168] }), 168),
      }),
    ),
    response: named(
      'featureEvaluationsSchema',
      Type.Object({
        features: Type.Array(
          Type.Object({
            name: Type.String(),
            yes: { ...count, description: 'Evaluations that returned enabled' },
            no: { ...count, description: 'Evaluations that returned disabled' },
          }),
        ),
      }),
    ),
  }),

  getFeatureUsage: endpoint({
    method: 'GET',
    path: '/api/admin/client-metrics/features/:featureName',
    id: 'getFeatureUsageSummary',
    tag,
    summary: 'Get the usage of a feature in the last hour',
    description:
      'For each environment, the newest hour that ended less than an hour ago. Includes archived features, and all applications that evaluated the feature.',
    permission: 'none',
    scopeOf,
    params,
    response: named(
      'featureUsageSchema',
      Type.Object({
        version,
        maturity,
        featureName,
        lastHourUsage: Type.Array(
          Type.Object({ environment: Type.String(), timestamp: instant, yes: count, no: count }),
        ),
        seenApplications: Type.Array(Type.String()),
      }),
    ),
  }),

  listFeatureUsage: endpoint({
    method: 'GET',
    path: '/api/admin/client-metrics/features/:featureName/raw',
    id: 'getRawFeatureMetrics',
    tag,
    summary: 'Get the hourly usage of a feature',
    description: 'By hour, application, and environment, newest first; at most 50,000 entries.',
    permission: 'none',
    scopeOf,
    params,
    query: Type.Object({
      hoursBack: Type.Optional(
        Type.String({
          description: `A whole number from 1 to ${maxHoursBack}, limited by the retention of metrics; default 48`,
        }),
      ),
    }),
    response: named(
      'featureMetricsSchema',
      Type.Object({
        version,
        maturity,
        featureName,
        data: Type.Array(
          Type.Object({
            featureName,
            appName: Type.String(),
            environment: Type.String(),
            timestamp: instant,
            yes: count,
            no: count,
            variants: dictionary(count, 'Count by variant'),
          }),
        ),
      }),
    ),
  }),
};
