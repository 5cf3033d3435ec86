/** What features refer to, for the navigation and for the palette. */
export const cataloguePages = [
  {
    to: '/segments',
    label: 'Segments',
    group: 'Who gets a feature',
    words: 'audience constraints users',
  },
  {
    to: '/context',
    label: 'Context fields',
    group: 'Who gets a feature',
    words: 'properties legal values stickiness',
  },
  {
    to: '/strategies',
    label: 'Strategy types',
    group: 'Who gets a feature',
    words: 'custom activation parameters',
  },
  { to: '/environments', label: 'Environments', group: 'Where', words: 'production stage order' },
  { to: '/tag-types', label: 'Tag types', group: 'Sorting features', words: 'labels' },
  {
    to: '/feature-toggle-type',
    label: 'Feature types',
    group: 'Sorting features',
    words: 'lifetime stale release experiment',
  },
] as const;
