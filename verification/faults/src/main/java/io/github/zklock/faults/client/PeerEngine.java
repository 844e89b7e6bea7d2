package io.github.zklock.faults.client;

import io.github.zklock.LockKind;
import io.github.zklock.faults.client.CallResult.Outcome;
import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.LockSpec;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** The locks of others over a Curator client, used with the care that their documentation asks for. */
abstract class PeerEngine implements Engine {

    private static final long BETWEEN_ATTEMPTS_MILLIS = 100;

    private final PeerClient client;

    PeerEngine(PeerClient client) {
        this.client = client;
    }

    /** The lock of that name; one instance for all threads of the process. */
    abstract PeerLock lock(LockSpec spec);

    @Override
    public final CallResult call(LockCall call, Work work) throws InterruptedException {
        PeerLock lock = lock(call.spec());
        try {
            if (!acquire(lock, call)) {
                return missed(call);
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return unavailable(e);
        }
        try (HeldPeerLock heldLock = new HeldPeerLock(lock, client)) {
            work.under(heldLock, Work.NOTHING_ELSE);
            return release(lock, heldLock);
        }
    }

    @Override
    public final CallResult downgrade(String name, Work writing, Work reading) throws InterruptedException {
        PeerLock writer = lock(new LockSpec(LockKind.WRITE, 1, 1, name));
        PeerLock reader = lock(new LockSpec(LockKind.READ, 1, 1, name));
        lock(writer);
        try (HeldPeerLock heldLock = new HeldPeerLock(writer, client)) {
            writing.under(heldLock, Work.NOTHING_ELSE);
            lock(reader);
            CallResult written = release(writer, heldLock);
            if (written.outcome() != Outcome.RELEASED) {
                release(reader, heldLock);
                return written;
            }
        }
        try (HeldPeerLock heldLock = new HeldPeerLock(reader, client)) {
            reading.under(heldLock, Work.NOTHING_ELSE);
            return release(reader, heldLock);
        }
    }

    @Override
    public final String session() {
        return client.session();
    }

    @Override
    public final void disrupt(Disruption disruption) throws Exception {
        SharedClient.apply(disruption, client.curator());
    }

    @Override
    public void close() {
        client.close();
    }

    private static boolean acquire(PeerLock lock, LockCall call) throws Exception {
        if (call.how() != LockCall.How.FOREVER) {
            return lock.tryLock(call.maxWait());
        }
        lock(lock);
        return true;
    }

    private static void lock(PeerLock lock) throws InterruptedException {
        while (true) {
            try {
                lock.lock();
                return;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                // who has to have the lock asks again
                unavailable(e);
                TimeUnit.MILLISECONDS.sleep(BETWEEN_ATTEMPTS_MILLIS);
            }
        }
    }

    private CallResult missed(LockCall call) {
        if (!client.isConnected()) {
            return CallResult.of(Outcome.UNAVAILABLE);
        }
        return CallResult.of(call.how() == LockCall.How.TRY ? Outcome.EMPTY : Outcome.TIMEOUT);
    }

    /** An exception of a release is taken for word of the loss if the session is lost; else the peer goes on trying. */
    private static CallResult release(PeerLock lock, HeldPeerLock heldLock) throws InterruptedException {
        try {
            lock.unlock();
            return CallResult.of(Outcome.RELEASED);
        } catch (Exception e) {
            CallResult failure = unavailable(e);
            boolean over =
                    heldLock.isLost() || causes(e).anyMatch(KeeperException.SessionExpiredException.class::isInstance);
            return new CallResult(over ? Outcome.LOST : Outcome.RELEASED, failure.message());
        }
    }

    /** What an exception that ZooKeeper caused comes to; all others go on, and so does an interrupt in disguise. */
    private static CallResult unavailable(Exception e) throws InterruptedException {
        if (causes(e).anyMatch(InterruptedException.class::isInstance)) {
            throw (InterruptedException) new InterruptedException(e.toString()).initCause(e);
        }
        if (causes(e).anyMatch(PeerEngine::isOfConnection)) {
            return CallResult.of(Outcome.UNAVAILABLE, e);
        }
        throw e instanceof RuntimeException unexpected ? unexpected : new IllegalStateException(e.toString(), e);
    }

    private static boolean isOfConnection(Throwable cause) {
        if (!(cause instanceof KeeperException failure)) {
            return false;
        }
        Code code = failure.code();
        return code == Code.CONNECTIONLOSS || code == Code.SESSIONEXPIRED || code == Code.OPERATIONTIMEOUT;
    }

    private static Stream<Throwable> causes(Throwable e) {
        return Stream.iterate(e, cause -> cause != null, Throwable::getCause);
    }
}
