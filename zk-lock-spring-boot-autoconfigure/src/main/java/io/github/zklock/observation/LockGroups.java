package io.github.zklock.observation;

import io.github.zklock.LockName;

/** Sorts locks into few groups, whose names may be tags; the names of locks may not, as there can be millions. */
@FunctionalInterface
interface LockGroups {

    /** The group of locks that belong to no other. */
    String OTHER = "other";

    /** The name of this lock's group. */
    String of(LockName name);
}
