package io.github.zklock.faults.context;

/** Sets of scenarios. Each set contains those before it. */
public enum Tier {
    SMOKE,
    QUICK,
    ALL
}
