import { pastFeature } from '../flags/features/index.ts';
import { readPast } from './as-of.ts';
import { featureIn } from './features.ts';

export const lookups = [
  pastFeature.answeredBy(async (db, { name, ...moment }) => {
    const past = await readPast(db, moment, [
      {
        subjects: [
          { kind: 'feature', key: name },
          { kind: 'feature-environment', key: name },
        ],
      },
      { kinds: ['environment', 'project-environment'] },
      { parent: name },
    ]);
    return { eventId: past.eventId, feature: featureIn(past, name) };
  }),
];
