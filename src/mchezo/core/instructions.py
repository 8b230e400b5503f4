"""Functions marked with `instruction` as Numba compiles them: to a single machine instruction each."""

from collections.abc import Callable
from typing import Any, cast

import llvmlite.ir as ir
import numpy.typing as npt
from numba.core import types
from numba.core.cgutils import for_range_slice, get_item_pointer
from numba.extending import intrinsic as untyped_intrinsic
from numba.np.arrayobj import make_array

from mchezo.core.network import HIDDEN

intrinsic = cast(Callable[[Callable[..., Any]], Callable[..., Any]], untyped_intrinsic)  # Numba has few types
NOT_ZERO = ir.Constant(ir.IntType(1), 1)
READ, KEEP, DATA = (ir.Constant(ir.IntType(32), number) for number in (0, 3, 1))  # of llvm.prefetch
I64 = ir.IntType(64)
ROW = ir.VectorType(ir.IntType(16), HIDDEN)  # of a network
WORD = ir.IntType(32)
PIECE = ir.VectorType(WORD, 4)  # of what is streamed
LINE = 64  # bytes of the processor's cache
PREFETCH = ir.FunctionType(ir.VoidType(), [ir.PointerType(), *[ir.IntType(32)] * 3])


@intrinsic
def count_ones(typing: Any, members: Any) -> Any:
    """Return the number of bits that are set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(context.cast(builder, args[0], members, types.int64))

    return types.int64(members), generate


@intrinsic
def count_zeros_below(typing: Any, members: Any) -> Any:
    """Return the number of bits below the lowest one that is set; one has to be."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(context.cast(builder, args[0], members, types.int64), NOT_ZERO)

    return types.int64(members), generate


@intrinsic
def fetch(typing: Any, table: Any, row: Any, column: Any) -> Any:
    """Fetch what a table has at a place, with its neighbours, into the processor's cache."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = make_array(table)(context, builder, args[0])  # type: ignore[no-untyped-call]  # Numba has few types
        place = [context.cast(builder, args[at], kind, types.intp) for at, kind in ((1, row), (2, column))]
        address = get_item_pointer(context, builder, table, array, place, wraparound=False)  # type: ignore[no-untyped-call]  # Numba has few types
        function = builder.module.declare_intrinsic("llvm.prefetch", [ir.PointerType()], PREFETCH)
        builder.call(function, [address, READ, KEEP, DATA])
        return context.get_dummy_value()

    return types.void(table, row, column), generate


@intrinsic
def fetch_struct(typing: Any, structs: Any, index: Any) -> Any:
    """Fetch every line of a struct into the processor's cache."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = make_array(structs)(context, builder, args[0])  # type: ignore[no-untyped-call]  # Numba has few types
        place = [context.cast(builder, args[1], index, types.intp)]
        first = get_item_pointer(context, builder, structs, array, place, wraparound=False)  # type: ignore[no-untyped-call]  # Numba has few types
        function = builder.module.declare_intrinsic("llvm.prefetch", [ir.PointerType()], PREFETCH)
        for at in (*range(0, structs.dtype.size - 1, LINE), structs.dtype.size - 1):
            address = builder.gep(first, [ir.Constant(ir.IntType(64), at)], source_etype=ir.IntType(8))
            builder.call(function, [address, READ, KEEP, DATA])
        return context.get_dummy_value()

    return types.void(structs, index), generate


@intrinsic
def copy_past_caches(typing: Any, row: Any, out: Any) -> Any:
    """Copy a row with stores that leave the caches alone, up to the first and from the last multiple of 16 by words."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source, target = (make_array(kind)(context, builder, arg) for kind, arg in zip((row, out), args, strict=True))  # type: ignore[no-untyped-call]  # Numba has few types
        size = builder.mul(target.nitems, I64(context.get_abi_sizeof(context.get_data_type(out.dtype))))
        hint = builder.module.add_metadata([ir.Constant(ir.IntType(32), 1)])

        def copy(kind: Any, at: Any, align: int, times: int) -> None:
            step = kind.get_abi_size(context.target_data)
            places = [builder.add(at, I64(step * number)) for number in range(times)]
            ends = [
                [builder.gep(array.data, [place], source_etype=ir.IntType(8)) for place in places]
                for array in (source, target)
            ]
            values = [builder.load(place, typ=kind, align=1) for place in ends[0]]
            for value, place in zip(values, ends[1], strict=True):
                stored = builder.store(value, builder.bitcast(place, kind.as_pointer()), align=align)
                if align > 1:
                    stored.set_metadata("nontemporal", hint)

        def copy_up_to(first: Any, last: Any, kind: Any, align: int, times: int = 1) -> None:
            step = I64(kind.get_abi_size(context.target_data) * times)
            with for_range_slice(builder, first, last, step, intp=I64) as (at, _):
                copy(kind, at, align, times)

        address = builder.ptrtoint(target.data, I64)
        in_words = builder.icmp_unsigned("==", builder.and_(builder.or_(address, size), I64(3)), I64(0))
        with builder.if_else(in_words) as (by_words, by_bytes):
            with by_words:
                before = builder.and_(builder.neg(address), I64(15))
                before = builder.select(builder.icmp_unsigned("<", before, size), before, size)
                lines = builder.add(before, builder.and_(builder.sub(size, before), I64(-LINE)))
                pieces = builder.add(before, builder.and_(builder.sub(size, before), I64(-16)))
                copy_up_to(I64(0), before, WORD, 4)
                copy_up_to(before, lines, PIECE, 16, times=LINE // 16)
                copy_up_to(lines, pieces, PIECE, 16)
                copy_up_to(pieces, size, WORD, 4)
            with by_bytes:
                copy_up_to(I64(0), size, ir.IntType(8), 1)
        return context.get_dummy_value()

    return types.void(row, out), generate


@intrinsic
def fence(typing: Any) -> Any:
    """Order all stores so far before all later ones."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def as_float(typing: Any, word: Any) -> Any:
    """Return the number whose bits a word has."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(context.cast(builder, args[0], word, types.int64), ir.DoubleType())

    return types.float64(word), generate


@intrinsic
def as_word(typing: Any, number: Any) -> Any:
    """Return the bits of a number as a word."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(context.cast(builder, args[0], number, types.float64), ir.IntType(64))

    return types.int64(number), generate


@intrinsic
def add_rows(typing: Any, network: Any, inputs: Any, count: Any, hidden: Any) -> Any:
    """Write the sum of the first row of a network and of those after the numbers in `inputs`, as vectors."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def place(kind: Any, at: int, index: list[Any]) -> Any:
            array = make_array(kind)(context, builder, args[at])  # type: ignore[no-untyped-call]  # Numba has few types
            return get_item_pointer(context, builder, kind, array, index, wraparound=False)  # type: ignore[no-untyped-call]  # Numba has few types

        def row(number: Any) -> Any:
            return builder.load(place(network, 0, [number, I64(0)]), typ=ROW, align=2)

        last = context.cast(builder, args[2], count, types.int64)
        first = row(I64(0))
        before = builder.block
        head, body, done = (builder.append_basic_block(name) for name in ("head", "body", "done"))
        builder.branch(head)
        builder.position_at_end(head)
        index, total = builder.phi(I64), builder.phi(ROW)
        index.add_incoming(I64(0), before)
        total.add_incoming(first, before)
        builder.cbranch(builder.icmp_signed("<", index, last), body, done)
        builder.position_at_end(body)
        item = builder.load(place(inputs, 1, [index]), typ=context.get_data_type(inputs.dtype))
        number = builder.add(context.cast(builder, item, inputs.dtype, types.int64), I64(1))
        sum_so_far, following = builder.add(total, row(number)), builder.add(index, I64(1))
        index.add_incoming(following, builder.block)
        total.add_incoming(sum_so_far, builder.block)
        builder.branch(head)
        builder.position_at_end(done)
        target = builder.bitcast(place(hidden, 3, [I64(0)]), ROW.as_pointer())
        builder.store(total, target, align=2)
        return context.get_dummy_value()

    return types.void(network, inputs, count, hidden), generate


def float_of(word: int) -> float:
    """Return the number whose bits a word has."""
    return as_float(word)  # type: ignore[no-any-return]  # Numba has few types


def word_of(number: float) -> int:
    """Return the bits of a number as a word."""
    return as_word(number)  # type: ignore[no-any-return]  # Numba has few types


def popcount(members: int) -> int:
    """Return the number of members of a set."""
    return count_ones(members)  # type: ignore[no-any-return]  # Numba has few types


def bit_index(single: int) -> int:
    """Return the number of the only member of a set."""
    return count_zeros_below(single)  # type: ignore[no-any-return]  # Numba has few types


def prefetch(table: npt.NDArray[Any], row: int, column: int) -> None:
    """Announce that a place of a table will be used soon."""
    fetch(table, row, column)


def sum_rows(network: npt.NDArray[Any], inputs: npt.NDArray[Any], count: int, hidden: npt.NDArray[Any]) -> None:
    """Write the sum of the bias and the rows of these inputs."""
    add_rows(network, inputs, count, hidden)


def prefetch_struct(structs: npt.NDArray[Any], index: int) -> None:
    """Announce that a whole struct of an array will be used soon."""
    fetch_struct(structs, index)


def stream(row: npt.NDArray[Any], out: npt.NDArray[Any]) -> None:
    """Copy a row to memory past the caches."""
    copy_past_caches(row, out)


def settle_streams() -> None:
    """Wait until other threads see what was streamed."""
    fence()
