;; Finds texts and walks a deterministic automaton, over bytes that lie in this module's memory from offset 4096 on; at
;; least 1040 bytes behind `end` may be read. What they work with lies in front and behind:
;;      0  the text to find, letters that may have either case in lower case
;;   1024  for each of its bytes: 32 where it is such a letter, else 0
;;   2048  the automaton's class of each byte
;;   2304  for each lower half of a byte, the upper halves (one bit each) with which it is in the set that `run` stops at
;;   2320  for each upper half, its bit; bytes from 80 on are always in the set
;;   2336  the state that `run` ended in
;; 267264  the automaton's table of 32-bit entries
(module
  (import "kernel" "memory" (memory 69))
  ;; Where the text of `length` bytes begins first in the bytes from `at` up to `end`; -1 when it does not. `one` and
  ;; `two` are the places in it that are looked at first.
  (func (export "find")
    (param $at i32) (param $end i32) (param $length i32) (param $one i32) (param $two i32) (result i32)
    (local $bits i32) (local $place i32) (local $byte i32) (local $wide i32) (local $at1 i32) (local $at2 i32)
    (local $want1 v128) (local $want2 v128) (local $fold1 v128) (local $fold2 v128)
    (local.set $want1 (i8x16.splat (i32.load8_u (local.get $one))))
    (local.set $want2 (i8x16.splat (i32.load8_u (local.get $two))))
    (local.set $fold1 (i8x16.splat (i32.load8_u offset=1024 (local.get $one))))
    (local.set $fold2 (i8x16.splat (i32.load8_u offset=1024 (local.get $two))))
    ;; From here on: the last place where it can begin.
    (local.set $end (i32.sub (local.get $end) (local.get $length)))
    (local.set $wide (i32.sub (local.get $end) (i32.const 64)))
    (block $missing
      (loop $vectors
        ;; Four vectors at once as long as none of them holds a candidate.
        (block $near
          (loop $wide
            (br_if $near (i32.gt_s (local.get $at) (local.get $wide)))
            (local.set $at1 (i32.add (local.get $at) (local.get $one)))
            (local.set $at2 (i32.add (local.get $at) (local.get $two)))
            (br_if $near (v128.any_true (v128.or
              (v128.or
                (v128.and
                  (i8x16.eq (local.get $want1) (v128.or (local.get $fold1) (v128.load (local.get $at1))))
                  (i8x16.eq (local.get $want2) (v128.or (local.get $fold2) (v128.load (local.get $at2)))))
                (v128.and
                  (i8x16.eq (local.get $want1) (v128.or (local.get $fold1) (v128.load offset=16 (local.get $at1))))
                  (i8x16.eq (local.get $want2) (v128.or (local.get $fold2) (v128.load offset=16 (local.get $at2))))))
              (v128.or
                (v128.and
                  (i8x16.eq (local.get $want1) (v128.or (local.get $fold1) (v128.load offset=32 (local.get $at1))))
                  (i8x16.eq (local.get $want2) (v128.or (local.get $fold2) (v128.load offset=32 (local.get $at2)))))
                (v128.and
                  (i8x16.eq (local.get $want1) (v128.or (local.get $fold1) (v128.load offset=48 (local.get $at1))))
                  (i8x16.eq (local.get $want2) (v128.or (local.get $fold2) (v128.load offset=48 (local.get $at2)))))))))
            (local.set $at (i32.add (local.get $at) (i32.const 64)))
            (br $wide)))
        (br_if $missing (i32.gt_s (local.get $at) (local.get $end)))
        (local.set $bits (i8x16.bitmask (v128.and
          (i8x16.eq (local.get $want1)
            (v128.or (local.get $fold1) (v128.load (i32.add (local.get $at) (local.get $one)))))
          (i8x16.eq (local.get $want2)
            (v128.or (local.get $fold2) (v128.load (i32.add (local.get $at) (local.get $two))))))))
        (block $none
          (loop $candidates
            (br_if $none (i32.eqz (local.get $bits)))
            (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $bits))))
            (br_if $missing (i32.gt_s (local.get $place) (local.get $end)))
            (local.set $byte (i32.const 0))
            (block $differs
              (loop $bytes
                (if (i32.eq (local.get $byte) (local.get $length)) (then (return (local.get $place))))
                (br_if $differs (i32.ne (i32.load8_u (local.get $byte))
                  (i32.or (i32.load8_u (i32.add (local.get $place) (local.get $byte)))
                    (i32.load8_u offset=1024 (local.get $byte)))))
                (local.set $byte (i32.add (local.get $byte) (i32.const 1)))
                (br $bytes)))
            (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
            (br $candidates)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $vectors)))
    (i32.const -1))
  ;; The first place from `at` on, `end` at most, whose byte is in the set.
  (func $skip (param $at i32) (param $end i32) (result i32)
    (local $v v128) (local $bits i32) (local $low v128) (local $high v128)
    (local.set $low (v128.load offset=2304 (i32.const 0)))
    (local.set $high (v128.load offset=2320 (i32.const 0)))
    (block $over
      (loop $vectors
        (br_if $over (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $v (v128.load (local.get $at)))
        (local.set $bits (i8x16.bitmask (v128.or (local.get $v)
          (i8x16.ne (v128.const i64x2 0 0) (v128.and
            (i8x16.swizzle (local.get $low) (v128.and (local.get $v) (i8x16.splat (i32.const 15))))
            (i8x16.swizzle (local.get $high) (i8x16.shr_u (local.get $v) (i32.const 4))))))))
        (if (local.get $bits) (then
          (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $bits))))
          (return (select (local.get $at) (local.get $end) (i32.lt_u (local.get $at) (local.get $end))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $vectors)))
    (local.get $end))
  ;; Follows the table from `state` over the bytes from `at` up to `end`, as far as it leads from state to state.
  ;; In the states up to `idle` (-1: none) no byte outside the set leads to another than those: such stretches are passed over.
  (func (export "run") (param $at i32) (param $end i32) (param $state i32) (param $idle i32) (result i32)
    (local $next i32)
    (block $stop
      (loop $bytes
        (br_if $stop (i32.ge_u (local.get $at) (local.get $end)))
        (if (i32.le_s (local.get $state) (local.get $idle)) (then
          (local.set $next (call $skip (local.get $at) (local.get $end)))
          ;; The byte in front decides in which of the idle states the set's byte is met.
          (if (i32.gt_u (local.get $next) (i32.add (local.get $at) (i32.const 1)))
            (then (local.set $at (i32.sub (local.get $next) (i32.const 1)))))))
        (local.set $next (i32.load offset=267264 (i32.shl
          (i32.add (local.get $state) (i32.load8_u offset=2048 (i32.load8_u (local.get $at))))
          (i32.const 2))))
        (br_if $stop (i32.lt_s (local.get $next) (i32.const 0)))
        (local.set $state (local.get $next))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $bytes)))
    (i32.store offset=2336 (i32.const 0) (local.get $state))
    (local.get $at))
  ;; Line feeds in the bytes from `at` up to `end`.
  (func (export "feeds") (param $at i32) (param $end i32) (result i32)
    (local $sum v128) (local $sums8 v128) (local $batch i32) (local $stop i32) (local $feeds i32)
    (local.set $stop (i32.sub (local.get $end) (i32.const 15)))
    (block $vectorsDone
      (loop $batches
        (br_if $vectorsDone (i32.ge_s (local.get $at) (local.get $stop)))
        (local.set $sums8 (v128.const i64x2 0 0))
        ;; An 8-bit lane holds at most 255.
        (local.set $batch (i32.const 255))
        (loop $vectors
          (local.set $sums8 (i8x16.sub (local.get $sums8)
            (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 10)))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $batch (i32.sub (local.get $batch) (i32.const 1)))
          (br_if $vectors (i32.and (i32.ne (local.get $batch) (i32.const 0))
            (i32.lt_s (local.get $at) (local.get $stop)))))
        (local.set $sum (i32x4.add (local.get $sum)
          (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $sums8)))))
        (br $batches)))
    (local.set $feeds (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
    (block $bytesDone
      (loop $bytes
        (br_if $bytesDone (i32.ge_s (local.get $at) (local.get $end)))
        (local.set $feeds (i32.add (local.get $feeds) (i32.eq (i32.load8_u (local.get $at)) (i32.const 10))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $bytes)))
    (local.get $feeds))
  ;; The first line feed from `at` on; `end` when there is none in front of it.
  (func (export "feed") (param $at i32) (param $end i32) (result i32)
    (local $bits i32)
    (block $over
      (loop $vectors
        (br_if $over (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $bits (i8x16.bitmask
          (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 10)))))
        (if (local.get $bits) (then
          (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $bits))))
          (return (select (local.get $at) (local.get $end) (i32.lt_u (local.get $at) (local.get $end))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $vectors)))
    (local.get $end)))
