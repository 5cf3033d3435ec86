import { Badge } from '@mantine/core';
import { IconLock, IconShield } from '@tabler/icons-react';
import type { ListedProject } from './list-search.ts';
import { modeOf } from './words.ts';

const icons = { open: undefined, protected: IconShield, private: IconLock };

/** The mode of a project, unless it is open. */
export function ModeBadge({ mode }: Pick<ListedProject, 'mode'>) {
  const Icon = icons[mode];
  const { label, meaning } = modeOf(mode);
  return (
    Icon && (
      <Badge
        size="sm"
        variant="outline"
        color="gray"
        tt="none"
        title={meaning}
        leftSection={<Icon size={12} aria-hidden />}
      >
        {label}
      </Badge>
    )
  );
}
