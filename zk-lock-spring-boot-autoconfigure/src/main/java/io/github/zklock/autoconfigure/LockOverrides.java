package io.github.zklock.autoconfigure;

import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.aop.CallDefaults;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code zk.lock.*} says of each lock: the first of {@code zk.lock.locks} that matches the name, over what is said of
 * all. Remembers no names, of which there is no end.
 */
final class LockOverrides implements CallDefaults {

    private record Entry(String pattern, LockSettings settings) {}

    private final LockSettings ofAll;
    private final List<Entry> entries = new ArrayList<>();

    LockOverrides(ZkLockProperties properties) {
        ofAll = LockSettings.ofAll(properties);
        for (int i = 0; i < properties.getLocks().size(); i++) {
            ZkLockProperties.LockRule rule = properties.getLocks().get(i);
            String pattern = LockPatterns.canonical(LockPatterns.property(i), rule.getName());
            entries.add(new Entry(pattern, ofAll.with(rule)));
        }
    }

    LockPolicy policy(LockName name) {
        return settings(name).policy();
    }

    @Override
    public Defaults of(LockName name) {
        return settings(name).calls();
    }

    @Override
    public Defaults general() {
        return ofAll.calls();
    }

    private LockSettings settings(LockName name) {
        for (Entry entry : entries) {
            if (LockPatterns.matches(entry.pattern(), name)) {
                return entry.settings();
            }
        }
        return ofAll;
    }
}
