import { type LinkContent, maxUrlLength } from './link-schema.ts';

interface Template {
  readonly title: string | null;
  readonly urlTemplate: string;
}

/** The links that a new feature gets from the templates of its project. Old templates may give addresses that are too long. */
export const linksFromTemplates = (
  templates: readonly Template[],
  { project, feature }: { readonly project: string; readonly feature: string },
): LinkContent[] =>
  templates
    .map(({ title, urlTemplate }) => ({
      title,
      url: urlTemplate
        .replaceAll('{{project}}', encodeURIComponent(project))
        .replaceAll('{{feature}}', encodeURIComponent(feature)),
    }))
    .filter(({ url }) => url.length <= maxUrlLength);
