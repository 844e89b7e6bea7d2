package io.github.zklock.kotlin

import io.github.zklock.annotation.DistributedLock
import io.github.zklock.annotation.OnBusy
import io.github.zklock.test.InMemoryLockRegistry
import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.catchThrowable
import org.junit.jupiter.api.Test

class KotlinClassTest {

    class Closed {
        @DistributedLock("/orders")
        fun work() = Unit
    }

    open class ClosedFunction {
        @DistributedLock("/orders")
        fun work() = Unit
    }

    open class OpenWithTypo {
        @DistributedLock("/orders/#{#typo}")
        open suspend fun work(id: String): String = id
    }

    open class SkipsAnObject {
        @DistributedLock("/orders", onBusy = OnBusy.SKIP)
        open suspend fun work(): String = ""
    }

    open class SuspendsAndReturnsAFuture {
        @DistributedLock("/orders")
        open suspend fun work(): CompletableFuture<String> = CompletableFuture.completedFuture("")
    }

    open class ReturnsAState {
        @DistributedLock("/orders")
        open fun work(): StateFlow<String> = MutableStateFlow("")
    }

    open class ReturnsASequence {
        @DistributedLock("/orders")
        open fun work(): Sequence<String> = emptySequence()
    }

    open class FallsBackSuspending {
        @DistributedLock("/orders", onBusy = OnBusy.FALLBACK, fallback = "instead")
        open fun work(): String = ""

        open suspend fun instead(): String = ""
    }

    open class ReturnsADeferred {
        @DistributedLock("/orders")
        open fun work(): Deferred<String> = CompletableDeferred("")
    }

    private fun startOf(bean: Class<*>): Throwable? =
        InMemoryLockRegistry().use { registry -> catchThrowable { KotlinTest.start(registry, bean).close() } }

    @Test
    fun `a closed class is refused with a hint at the compiler plugin`() {
        assertThat(startOf(Closed::class.java))
            .hasStackTraceContaining("Closed.work() is final")
            .hasStackTraceContaining("in Kotlin: use the compiler plugin for Spring")
    }

    @Test
    fun `a closed function is refused with a hint at the compiler plugin`() {
        assertThat(startOf(ClosedFunction::class.java))
            .hasStackTraceContaining("ClosedFunction.work() is final")
            .hasStackTraceContaining("in Kotlin: use the compiler plugin for Spring")
    }

    @Test
    fun `the continuation is no parameter`() {
        assertThat(startOf(OpenWithTypo::class.java))
            .hasStackTraceContaining("OpenWithTypo.work(String) uses #typo, which is no parameter; use one of #id, #p0, #a0")
    }

    @Test
    fun `an object that is not nullable cannot be skipped`() {
        assertThat(startOf(SkipsAnObject::class.java)).hasStackTraceContaining("uses onBusy = SKIP")
    }

    @Test
    fun `a suspending function that returns a future is refused`() {
        assertThat(startOf(SuspendsAndReturnsAFuture::class.java))
            .hasStackTraceContaining("suspends, and returns a CompletableFuture that continues to work")
    }

    @Test
    fun `a flow without end is refused`() {
        assertThat(startOf(ReturnsAState::class.java)).hasStackTraceContaining("return a Flow")
    }

    @Test
    fun `a sequence is refused`() {
        assertThat(startOf(ReturnsASequence::class.java)).hasStackTraceContaining("collect it to a List")
    }

    @Test
    fun `a fallback must not suspend where the function does not`() {
        assertThat(startOf(FallsBackSuspending::class.java)).hasStackTraceContaining("make both suspend, or neither")
    }

    @Test
    fun `a deferred result is accepted`() {
        assertThat(startOf(ReturnsADeferred::class.java)).isNull()
    }
}
