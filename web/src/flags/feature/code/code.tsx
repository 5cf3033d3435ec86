import { Stack } from '@mantine/core';
import { References } from './references.tsx';
import { UseIt } from './use-it.tsx';

/** How to use the feature in code, and where the code does. */
export const Code = () => (
  <Stack gap="xl">
    <UseIt />
    <References />
  </Stack>
);
