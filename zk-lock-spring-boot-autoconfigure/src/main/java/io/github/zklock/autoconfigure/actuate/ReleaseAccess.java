package io.github.zklock.autoconfigure.actuate;

/** Whether locks may be taken from their holders over the network, as the actuator's configuration has it. */
@FunctionalInterface
public interface ReleaseAccess {

    /** Whether they may. */
    boolean isUnrestricted();
}
