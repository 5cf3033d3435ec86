import { Button, Code, CopyButton, Text } from '@mantine/core';

/** The id by which the server's log knows an error, to copy for whoever reads that log. */
export const ErrorId = ({ id }: { readonly id: string }) => (
  <Text size="sm" component="div">
    The server knows this error as <Code>{id}</Code>{' '}
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  </Text>
);
