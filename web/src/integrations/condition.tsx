import { Badge } from '@mantine/core';
import { conditionOf, conditionWords, type Integration } from './words.ts';

/** The status of an integration in one word. */
export function ConditionBadge({ integration }: { readonly integration: Integration }) {
  const { label, color } = conditionWords[conditionOf(integration)];
  return (
    <Badge variant="light" tt="none" color={color} style={{ flexShrink: 0 }}>
      {label}
    </Badge>
  );
}
