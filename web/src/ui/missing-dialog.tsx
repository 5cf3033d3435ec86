import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { missingWords } from './missing-words.ts';

/** Instead of a dialog over a list, about an item that doesn't exist. */
export function MissingDialog({ message }: { readonly message: string }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  const navigate = useNavigate();
  const { title, text, hint, to, label } = missingWords({ status: 404, message }, pathname);
  const close = () => void navigate({ to, replace: true });
  return (
    <Modal opened onClose={close} title={title}>
      <Stack>
        {text && (
          <Text size="sm" className="long-name">
            {text}
          </Text>
        )}
        <Text size="sm" className="quiet long-name">
          {hint}
        </Text>
        <Group justify="flex-end">
          <Button onClick={close} data-autofocus>
            {label}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
