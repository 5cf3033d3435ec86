import { Select, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { read } from '../../queries.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { plural } from '../../ui/format.ts';
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
    mutationFn: () =>
      api('POST /api/admin/features-batch/export', {
        body: { environment: environment ?? '', features: [...names] },
      }),
    onSuccess: (document) => {
      save(`features-${environment}.json`, `${JSON.stringify(document, null, 2)}\n`);
      tellDone({ id: 'export', title: `${plural(document.features.length, 'feature')} exported` });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Export"
      action={`Export ${plural(names.length, 'feature')}`}
      isReady={environment !== null}
      sending={exporting}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
