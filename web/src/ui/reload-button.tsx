import { Button } from '@mantine/core';

export const ReloadButton = () => (
  <Button size="compact-sm" variant="light" onClick={() => window.location.reload()}>
    Reload
  </Button>
);
