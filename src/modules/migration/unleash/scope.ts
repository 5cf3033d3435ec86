import type { PastEvent } from '../history/read.ts';

type Part = 'catalogue' | 'access' | 'tokens' | 'integrations' | 'applications';

/** What events say may have changed. */
export type Scope =
  | 'everything'
  | {
      readonly features: ReadonlySet<string>;
      readonly projects: ReadonlySet<string>;
      readonly parts: ReadonlySet<Part>;
    };

/** Recorded, but nothing that an import reads has changed. Favourites are taken from the log itself. */
const none = /^((feature|project)-(un)?favorited|pat-.*|change-request-.*|banner-.*)$/;

/** These change more than what they name. */
const all =
  /^(features?-import(ed)?|project-import|project-environment-(added|removed)|environment-.*|tag(-type)?-deleted)$/;

const byPart: readonly (readonly [RegExp, Part])[] = [
  [/^(feature-type|context-field|tag-type|tag|segment)-/, 'catalogue'],
  [/^strategy-(created|updated|deleted|deprecated|reactivated|import)$/, 'catalogue'],
  [/^(user|role|group|service-account)-/, 'access'],
  [/^api-token-/, 'tokens'],
  [/^addon-config-/, 'integrations'],
  [/^application-/, 'applications'],
];

/** What has to be read again after these events. A type that we do not know may have changed anything. */
export function scopeOf(
  events: readonly Pick<PastEvent, 'type' | 'featureName' | 'project'>[],
): Scope {
  const features = new Set<string>();
  const projects = new Set<string>();
  const parts = new Set<Part>();
  for (const { type, featureName, project } of events) {
    if (none.test(type)) continue;
    const part = byPart.find(([types]) => types.test(type))?.[1];
    if (all.test(type)) return 'everything';
    if (part !== undefined) parts.add(part);
    else if (/^(feature|strategy)-/.test(type) && featureName !== null) features.add(featureName);
    else if (/^(project|default-strategy)-/.test(type) && project !== null) projects.add(project);
    else return 'everything';
  }
  return { features, projects, parts };
}
