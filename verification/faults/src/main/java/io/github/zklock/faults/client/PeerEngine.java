package io.github.zklock.faults.client;

import io.github.zklock.LockKind;
import io.github.zklock.faults.client.Answer.Outcome;
import io.github.zklock.faults.record.Disruption;
import io.github.zklock.faults.record.Wish;
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
    abstract PeerLock lock(Wish wish);

    @Override
    public final Answer call(Call call, Work work) throws InterruptedException {
        PeerLock lock = lock(call.wish());
        try {
            if (!acquire(lock, call)) {
                return missed(call);
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return unavailable(e);
        }
        try (PeerGrip grip = new PeerGrip(lock, client)) {
            work.under(grip, Work.NOTHING_ELSE);
            return release(lock, grip);
        }
    }

    @Override
    public final Answer downgrade(String name, Work writing, Work reading) throws InterruptedException {
        PeerLock writer = lock(new Wish(LockKind.WRITE, 1, 1, name));
        PeerLock reader = lock(new Wish(LockKind.READ, 1, 1, name));
        lock(writer);
        try (PeerGrip grip = new PeerGrip(writer, client)) {
            writing.under(grip, Work.NOTHING_ELSE);
            lock(reader);
            Answer written = release(writer, grip);
            if (written.outcome() != Outcome.GIVEN_BACK) {
                release(reader, grip);
                return written;
            }
        }
        try (PeerGrip grip = new PeerGrip(reader, client)) {
            reading.under(grip, Work.NOTHING_ELSE);
            return release(reader, grip);
        }
    }

    @Override
    public final String session() {
        return client.session();
    }

    @Override
    public final void disrupt(Disruption disruption) throws Exception {
        Disruptions.apply(disruption, client.curator());
    }

    @Override
    public void close() {
        client.close();
    }

    private static boolean acquire(PeerLock lock, Call call) throws Exception {
        if (call.how() != Call.How.FOREVER) {
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

    private Answer missed(Call call) {
        if (!client.isConnected()) {
            return Answer.of(Outcome.UNAVAILABLE);
        }
        return Answer.of(call.how() == Call.How.TRY ? Outcome.EMPTY : Outcome.TIMEOUT);
    }

    /** An exception of a release is taken for word of the loss if the session is lost; else the peer goes on trying. */
    private static Answer release(PeerLock lock, PeerGrip grip) throws InterruptedException {
        try {
            lock.unlock();
            return Answer.of(Outcome.GIVEN_BACK);
        } catch (Exception e) {
            Answer failure = unavailable(e);
            boolean over =
                    grip.isLost() || causes(e).anyMatch(KeeperException.SessionExpiredException.class::isInstance);
            return new Answer(over ? Outcome.LOST : Outcome.GIVEN_BACK, failure.message());
        }
    }

    /** What an exception that ZooKeeper caused comes to; all others go on, and so does an interrupt in disguise. */
    private static Answer unavailable(Exception e) throws InterruptedException {
        if (causes(e).anyMatch(InterruptedException.class::isInstance)) {
            throw (InterruptedException) new InterruptedException(e.toString()).initCause(e);
        }
        if (causes(e).anyMatch(PeerEngine::isOfConnection)) {
            return Answer.of(Outcome.UNAVAILABLE, e);
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
