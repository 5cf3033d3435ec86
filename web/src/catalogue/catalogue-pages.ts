/** What features refer to, for the navigation and for the palette. */
export const cataloguePages = [
  {
    to: '/segments',
    label: 'Segments',
    group: 'Targeting',
    words: 'audience constraints users',
  },
  {
    to: '/context',
    label: 'Context fields',
    group: 'Targeting',
    words: 'properties legal values stickiness',
  },
  {
    to: '/strategies',
    label: 'Strategy types',
    group: 'Targeting',
    words: 'custom activation parameters',
  },
  { to: '/environments', label: 'Environments', group: 'Setup', words: 'production stage order' },
  {
    to: '/feature-toggle-type',
    label: 'Feature types',
    group: 'Setup',
    words: 'lifetime stale release experiment',
  },
  { to: '/tag-types', label: 'Tag types', group: 'Setup', words: 'labels' },
] as const;
