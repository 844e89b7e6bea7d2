package io.github.zklock.faults.context;

/** Sets of scenarios, each of which contains those before it. */
public enum Tier {
    SMOKE,
    QUICK,
    ALL
}
