package io.github.zklock.kotlin

import io.github.zklock.FencingToken
import io.github.zklock.LockException
import io.github.zklock.LockHandle
import io.github.zklock.annotation.DistributedLock
import io.github.zklock.annotation.OnBusy
import io.github.zklock.annotation.OnLost
import io.github.zklock.annotation.RunOncePer
import io.github.zklock.reactive.ReactiveLockContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.yield
import org.springframework.stereotype.Service

/** The names of the locks around the running coroutine, outermost first. */
// snippet:held
suspend fun heldHere(): List<String> = ReactiveLockContext.current().awaitSingle().map { it.name().value() }
// end:held

@Service
class Orders {

    @DistributedLock("/orders/#{#id}")
    suspend fun <T> work(id: String, body: suspend () -> T): T = body()

    @DistributedLock("/orders/#{#id}")
    suspend fun nothing(id: String, body: suspend () -> Unit) {
        body()
    }

    @DistributedLock("/orders/#{#id}")
    suspend fun nullable(id: String): String? = null

    @DistributedLock("/orders/#{#id}")
    suspend fun token(id: String, token: FencingToken? = null): FencingToken? = token

    @DistributedLock("/orders/#{#id}")
    suspend fun handle(id: String, handle: LockHandle? = null): LockHandle? = handle

    @DistributedLock("/orders/#{#id}")
    suspend fun reEnter(id: String, body: suspend () -> Any): Any = body()

    @RunOncePer(window = "1h", name = "/jobs/#{#id}")
    suspend fun once(id: String): Boolean {
        yield()
        return true
    }

    @DistributedLock("/orders/#{#id}", waitTime = "0")
    suspend fun impatient(id: String): String = throw AssertionError("Must not run")

    @DistributedLock("/orders/#{#id}", waitTime = "0", onBusy = OnBusy.SKIP)
    suspend fun skippedUnit(id: String): Unit = throw AssertionError("Must not run")

    @DistributedLock("/orders/#{#id}", waitTime = "0", onBusy = OnBusy.SKIP)
    suspend fun skippedNull(id: String): String? = throw AssertionError("Must not run")

    @DistributedLock("/orders/#{#id}", waitTime = "0", onBusy = OnBusy.SKIP)
    suspend fun skippedBoolean(id: String): Boolean = throw AssertionError("Must not run")

    @DistributedLock("/orders/#{#id}", waitTime = "0", onBusy = OnBusy.SKIP)
    fun skippedFlow(id: String): Flow<String> = throw AssertionError("Must not run")

    @DistributedLock("/orders/#{#id}", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "suspendingFallback")
    suspend fun withSuspendingFallback(id: String): String = throw AssertionError("Must not run")

    suspend fun suspendingFallback(id: String, busy: LockException): String {
        yield()
        return "$id ${busy.javaClass.simpleName}"
    }

    @DistributedLock("/orders/#{#id}", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "plainFallback")
    suspend fun withPlainFallback(id: String): String = throw AssertionError("Must not run")

    fun plainFallback(id: String): String = "$id instead"

    @DistributedLock("/orders/#{#id}", onLost = OnLost.INTERRUPT)
    suspend fun interrupted(id: String, body: suspend () -> String): String = body()

    @DistributedLock("/orders/#{#id}")
    fun items(id: String): Flow<List<String>> = flow {
        emit(heldHere())
        emit(heldHere())
    }

    @DistributedLock("/orders/#{#id}")
    suspend fun itemsLater(id: String): Flow<List<String>> = flow {
        emit(heldHere())
    }

    suspend fun selfInvoked(id: String): List<String> = work(id) { heldHere() }
}
