import { Select, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { read } from '../../queries.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { plural } from '../../ui/format.ts';
import { tellDone } from '../../ui/notices.tsx';
import { saveJson } from '../../ui/save-file.ts';

interface Props {
  readonly names: readonly string[];
  readonly onClose: () => void;
}

/** The selected features as a JSON file, which can be imported into another installation or environment. */
export function ExportDialog({ names, onClose }: Props) {
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const [environment, setEnvironment] = useState<string | null>(null);
  const exporting = useMutation({
    mutationFn: () =>
      api('POST /api/admin/features-batch/export', {
        body: { environment: environment ?? '', features: [...names] },
      }),
    onSuccess: (document) => {
      saveJson(`features-${environment}.json`, `${JSON.stringify(document, null, 2)}\n`);
      tellDone({ id: 'export', title: `${plural(document.features.length, 'feature')} exported` });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Export features"
      action={`Export ${plural(names.length, 'feature')}`}
      isReady={environment !== null}
      sending={exporting}
      onClose={onClose}
    >
      <Text size="sm">
        Downloads a JSON file with the selected features and their configuration in one environment.
        Segments are referenced by name, not included.
      </Text>
      <Select
        label="Environment"
        placeholder="Select an environment"
        data-autofocus
        data={environments.map(({ name }) => name)}
        value={environment}
        onChange={setEnvironment}
      />
    </FormDialog>
  );
}
