import { Text } from '@mantine/core';
import { GuardedSwitch } from '../../ui/guarded.tsx';
import classes from '../admin.module.css';

interface Props {
  readonly title: string;
  readonly description: string;
  readonly checked: boolean;
  /** Why it can't be changed; the description stays. */
  readonly refusal?: string | undefined;
  readonly isSaving?: boolean;
  readonly onChange: () => void;
}

/** A setting that is enabled or disabled, saved at once. */
export const SettingRow = ({ title, description, checked, ...props }: Props) => (
  <div className="card">
    <div className={classes.setting}>
      <div>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" className="quiet">
          {description}
        </Text>
      </div>
      <GuardedSwitch
        aria-label={title}
        checked={checked}
        refusal={props.refusal}
        onChange={() => !props.isSaving && props.onChange()}
      />
    </div>
  </div>
);
