import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { read } from '../../queries.ts';
import { tellDone } from '../../ui/notices.tsx';

interface Props {
  readonly names: readonly string[];
  readonly onClose: () => void;
}

function save(name: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** The selected features as one JSON document, which another installation or environment can import. */
export function ExportDialog({ names, onClose }: Props) {
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const [environment, setEnvironment] = useState<string | null>(null);
  const exporting = useMutation({
    mutationFn: (wanted: string) =>
      api('POST /api/admin/features-batch/export', {
        body: { environment: wanted, features: [...names] },
      }),
    onSuccess: (document, wanted) => {
      save(`features-${wanted}.json`, `${JSON.stringify(document, null, 2)}\n`);
      tellDone({ id: 'export', title: `${document.features.length} features are exported` });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Export" centered transitionProps={{ duration: 100 }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (environment !== null) exporting.mutate(environment);
        }}
      >
        <Stack>
          <Text size="sm">
            A JSON document with the features and with what they are in one environment: strategies,
            variants, and whether they are on. Segments are named in it, and not part of it.
          </Text>
          <Select
            label="Environment"
            placeholder="Choose one"
            data-autofocus
            data={environments.map(({ name }) => name)}
            value={environment}
            onChange={setEnvironment}
          />
          {exporting.error && (
            <Alert color="red" role="alert">
              {exporting.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={exporting.isPending} disabled={environment === null}>
              Export {names.length} {names.length === 1 ? 'feature' : 'features'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
