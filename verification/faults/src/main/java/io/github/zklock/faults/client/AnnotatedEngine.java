package io.github.zklock.faults.client;

import io.github.zklock.HandOff;
import io.github.zklock.LockException;
import io.github.zklock.faults.client.CallResult.Outcome;
import io.github.zklock.faults.client.Engine.Work;
import io.github.zklock.faults.timeline.LockSpec;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.concurrent.Executor;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Our locks as an application uses them: annotated methods of a Spring Boot application, which can be closed, and
 * replaced by another application in the same process. What annotations cannot express uses the registry of the
 * application; so do downgrades, because nested annotated methods release the inner lock first.
 */
final class AnnotatedEngine extends ZkLockEngine {

    // the application of the current call, which may have been replaced meanwhile
    private static final ThreadLocal<SpringClient> REQUESTED = new ThreadLocal<>();

    private final ClientConfig config;
    private final HandOff handOff;

    private volatile SpringClient application;

    AnnotatedEngine(ClientConfig config, HandOff handOff) {
        super(Acquirer.BLOCKING);
        this.config = config;
        this.handOff = handOff;
        this.application = SpringClient.start(config, handOff);
    }

    private SpringClient present() {
        SpringClient requested = REQUESTED.get();
        return requested == null ? application : requested;
    }

    @Override
    public ZooKeeperLockRegistry registry() {
        return present().registry();
    }

    @Override
    CuratorFramework client() {
        return present().client();
    }

    @Override
    public void prepare(LockCall call) {
        if (isAnnotated(call.spec())) {
            application.methods(call);
        }
    }

    @Override
    public CallResult call(LockCall call, Work work) throws InterruptedException {
        SpringClient client = application;
        REQUESTED.set(client);
        try {
            return isAnnotated(call.spec())
                    ? CallResult.of(invoke(client.methods(call), call, work) ? Outcome.RELEASED : Outcome.EMPTY)
                    : super.call(call, work);
        } catch (LockException e) {
            return CallResult.of(e);
        } catch (DataAccessException | TransactionException e) {
            return CallResult.ofWork(Outcome.THREW, e);
        } finally {
            REQUESTED.remove();
        }
    }

    @Override
    public Executor executor() {
        return application.executor();
    }

    /** Starts the successor before the close, so that calls of both run at the same time. */
    @Override
    public void change(Change change) {
        SpringClient former = application;
        switch (change) {
            case CLOSE -> former.close();
            case REFRESH -> {
                application = SpringClient.start(config, handOff);
                former.close();
            }
            case BLOCK_LISTENERS, BREAK_LISTENERS, BREAK_LISTENERS_BY_ERROR ->
                former.listeners().change(change);
        }
    }

    @Override
    public void close() {
        application.close();
    }

    /**
     * Returns whether there is an annotated method for this. A method acquires one permit, of a number that its source
     * states.
     */
    private static boolean isAnnotated(LockSpec spec) {
        return spec.permits() == 1 && (spec.of() == 1 || spec.of() == 3 || spec.of() == 4);
    }

    private static boolean invoke(SpringClientMethods methods, LockCall call, Work work) throws InterruptedException {
        boolean skip = call.how() == LockCall.How.TRY;
        LockSpec spec = call.spec();
        return switch (spec.kind()) {
            case EXCLUSIVE -> skip ? methods.tryExclusive(spec, work, null) : methods.exclusive(spec, work, null);
            case READ -> skip ? methods.tryRead(spec, work, null) : methods.read(spec, work, null);
            case WRITE -> skip ? methods.tryWrite(spec, work, null) : methods.write(spec, work, null);
            case PERMITS ->
                spec.of() == 3
                        ? (skip ? methods.tryOneOfThree(spec, work, null) : methods.oneOfThree(spec, work, null))
                        : (skip ? methods.tryOneOfFour(spec, work, null) : methods.oneOfFour(spec, work, null));
        };
    }
}
