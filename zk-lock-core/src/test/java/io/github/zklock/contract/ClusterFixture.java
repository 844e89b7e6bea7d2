package io.github.zklock.contract;

import io.github.zklock.LockListener;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockRegistry;
import io.github.zklock.OnClose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A cluster for a contract to be tried on: processes join it, and misfortune can be brought upon it. */
public interface ClusterFixture extends AutoCloseable {

    /** One more process, with a registry and a session of its own. */
    Member join(Options options);

    /** Makes the cluster unreachable for all members. Sessions may outlast it. */
    void outage();

    /** Ends an outage; does nothing if there is none. */
    void heal();

    /** Deletes what stands at the head of this lock's queue, as an operator does. */
    void forceOut(String name);

    /** How many stand in this lock's queue, as the cluster sees it. */
    int queued(String name);

    /** Whether user code must never run on this thread. */
    boolean isEventThread(Thread thread);

    /** Asserts that the members that have been closed soon leave no trace. */
    void assertNothingLeft();

    @Override
    void close();

    /** A process of the cluster. */
    interface Member extends AutoCloseable {

        LockRegistry registry();

        /** Ends the session of this process as if it had not been heard of for too long. */
        void expireSession();

        /** Closes the registry. */
        @Override
        void close();
    }

    /** What a process wants to be different from the defaults. */
    record Options(
            Optional<Duration> sessionTimeout,
            Optional<Duration> maxHold,
            Optional<Duration> holdWarning,
            Optional<Function<? super LockName, LockPolicy>> policy,
            OnClose onClose,
            List<LockListener> listeners) {

        public static Options none() {
            // lest what a test leaves held outlives it
            return new Options(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    OnClose.RELEASE_HELD,
                    List.of());
        }

        public Options sessionTimeout(Duration timeout) {
            return new Options(Optional.of(timeout), maxHold, holdWarning, policy, onClose, listeners);
        }

        public Options maxHold(Duration limit) {
            return new Options(sessionTimeout, Optional.of(limit), holdWarning, policy, onClose, listeners);
        }

        public Options holdWarning(Duration threshold) {
            return new Options(sessionTimeout, maxHold, Optional.of(threshold), policy, onClose, listeners);
        }

        /** In the place of a maximum hold and a threshold for all locks. */
        public Options policy(Function<? super LockName, LockPolicy> byName) {
            return new Options(sessionTimeout, maxHold, holdWarning, Optional.of(byName), onClose, listeners);
        }

        /** What its close does with the locks that are held then. They are released unless set. */
        public Options onClose(OnClose held) {
            return new Options(sessionTimeout, maxHold, holdWarning, policy, held, listeners);
        }

        public Options listener(LockListener listener) {
            List<LockListener> all = new ArrayList<>(listeners);
            all.add(listener);
            return new Options(sessionTimeout, maxHold, holdWarning, policy, onClose, List.copyOf(all));
        }
    }
}
