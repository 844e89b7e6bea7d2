package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.transport.IdealWire;
import io.github.zklock.zookeeper.internal.transport.Wire;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeWatch;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.IdentityHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An {@link IdealWire} on which a test lets calls fail, or answers them itself. */
final class FailingWire implements InvocationHandler {

    /** Sees each call before the wire does. What it throws ends the call. */
    @FunctionalInterface
    interface Script {

        /**
         * Decides what becomes of a call.
         *
         * @param isRequest whether the call brings a receiver of answers or events
         * @return the result of the call, for {@code pin} its answer; null if the wire is to decide
         */
        @Nullable Object before(String call, boolean isRequest) throws Throwable;
    }

    private final IdealWire wire;
    private final EngineRun run;
    private final Script script;
    /** What the engine passes in with a request, and what the wire gets for it. */
    private final IdentityHashMap<Object, Object> receivers = new IdentityHashMap<>();

    private FailingWire(IdealWire wire, EngineRun run, Script script) {
        this.wire = wire;
        this.run = run;
        this.script = script;
    }

    static Wire around(IdealWire wire, EngineRun run, Script script) {
        Class<?>[] types = {Wire.class, WireSession.class};
        return (Wire)
                Proxy.newProxyInstance(FailingWire.class.getClassLoader(), types, new FailingWire(wire, run, script));
    }

    /** Lets one request, given by its number over all engines, end in an Error instead of being sent. */
    static Script failingAt(int failing, AtomicInteger requests) {
        return (call, isRequest) -> {
            if (isRequest && requests.incrementAndGet() == failing) {
                throw new InternalError("planted at request " + failing);
            }
            return null;
        };
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        Object[] passed = arguments == null ? new Object[0] : arguments.clone();
        boolean isRequest = false;
        for (int i = 0; i < passed.length; i++) {
            Object receiver = ofRun(passed[i]);
            isRequest |= receiver != passed[i];
            passed[i] = receiver;
        }
        Object result = script.before(method.getName(), isRequest);
        if (method.getName().equals("pin")) {
            @SuppressWarnings("unchecked")
            Consumer<Wire.Pin> answer = (Consumer<Wire.Pin>) passed[0];
            Wire.Pin pin = result == null ? new Wire.Pin.Pinned((WireSession) proxy) : (Wire.Pin) result;
            wire.pin(pinned -> run.execute(() -> answer.accept(pin)));
            return null;
        }
        if (result != null) {
            return result;
        }
        try {
            return method.invoke(wire, passed);
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }

    /** Has answers and events handled by the run that has asked; leaves other arguments as they are. */
    private Object ofRun(Object argument) {
        if (argument instanceof Reply<?> reply) {
            return replyOfRun(reply);
        }
        if (argument instanceof Watch watch) {
            return receivers.computeIfAbsent(
                    watch, absent -> (Watch) event -> run.execute(() -> watch.happened(event)));
        }
        if (argument instanceof TreeWatch watch) {
            return receivers.computeIfAbsent(watch, absent ->
                    (TreeWatch) (event, path) -> run.execute(() -> watch.happened(event, path)));
        }
        return argument;
    }

    private <T> Reply<T> replyOfRun(Reply<T> reply) {
        return (outcome, value) -> run.execute(() -> reply.answered(outcome, value));
    }
}
