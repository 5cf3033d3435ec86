import { Button } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { route } from './view.ts';

/** Leads to the code that evaluates the feature. */
export function ShowCode() {
  const navigate = route.useNavigate();
  return (
    <Button
      size="xs"
      variant="light"
      leftSection={<IconCode size={16} aria-hidden />}
      onClick={() => void navigate({ search: (before) => ({ ...before, tab: 'code' }) })}
    >
      Show code
    </Button>
  );
}
