import { type Static, Type } from 'typebox';
import { nullable } from '../../../../platform/contract/endpoint.ts';
import { named, nameText } from '../../../../platform/contract/schema.ts';

/** Of one feature: as many as a project has templates for links of new features. */
export const maxLinks = 100;

/** A page about a feature elsewhere: a ticket, a dashboard, a design. */
export const LinkSchema = named(
  'featureLinkSchema',
  Type.Object({
    id: Type.String(),
    url: Type.String(),
    title: nullable(Type.String({ description: 'Null if there is none' })),
  }),
);
export type Link = Static<typeof LinkSchema>;

/** What a link is before it has an id. */
export type LinkContent = Omit<Link, 'id'>;

/** Other schemes would run a script when someone follows the link. */
export const linkUrlPattern = '^[hH][tT][tT][pP][sS]?://\\S+$';
export const maxUrlLength = 2000;
export const maxTitleLength = 200;

export const SetLinkSchema = named(
  'featureLinkSetSchema',
  Type.Object({
    url: Type.String({
      maxLength: maxUrlLength,
      pattern: linkUrlPattern,
      'x-fault': `must be a URL that starts with https:// or http://, at most ${maxUrlLength} characters`,
    }),
    title: Type.Optional(
      nullable(
        nameText({ minLength: 0, maxLength: maxTitleLength, description: 'Omitted: no title' }),
      ),
    ),
  }),
);
export type SetLink = Static<typeof SetLinkSchema>;
