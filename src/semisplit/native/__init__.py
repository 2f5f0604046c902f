"""Rules to machine code: games compiled through LLVM, on sets of squares.

The idea is in `docs/compiler.md`. This is a tour of the files, in reading order.

What a compiled game looks like from outside:
    abi         the functions it has, the memory they are given, and how they end
    layout      where the parts of a state lie in memory

The board and the rules, prepared:
    relation    relations between squares that the board alone decides
    squares     which bit of a set of squares stands for which vertex
    expression  parts of the rules without modifiers; whatever is static becomes a relation
    unseen      what does not look at the square where it starts
    translate   from rules to expressions; patterns become simpler
    graph       the rules as sites joined by expressions and modifiers
    pieces      which pieces can be on the current square at each site
    merge       sites that are alike
    blind       regions that do not look at the square where they start
    change      what follows a piece put on a square, told before it is put there
    transpose   moves that end with a fixed step, for all pieces at once

Emitting code between two modifiers:
    code        sets, tables, conditions and the state's memory, at a place of a function
    context     the caller's memory for limits and counters
    structured  which blocks every way to a place has passed
    arithmetic  numbers, comparisons and assignments, which may fail
    places      where an evaluation has come to: a row of a relation, or many squares
    rays        lines of squares up to the first that is occupied
    walks       from square to square, with branches
    known       what has been found out already
    matches     whether expressions lead anywhere
    evaluate    where they lead
    region      all that can happen until the next modifier: exits and their slots

Emitting code that follows the rules from modifier to modifier:
    modifiers   carrying them out and undoing them
    shared      functions that several places share
    program     the game while it is being compiled, its regions and what is known about them
    machine     threaded code with frames and backtracking
    enumerate   the machine that goes through all moves
    pattern     patterns with modifiers, tried out and undone
    walk        the options at a site in the order of the rules, for the keeper's choices
    keeper      the keeper's moves

The functions of the interface:
    random      random numbers
    playout     what playouts share, and semisplit playouts
    orthodox    playouts that draw among all moves
    sites       all sites as tables, for code that is called once per position
    step        carrying out one given step, and `play`
    vectors     vectors of real numbers
    listing     listing the moves of nodal states
    moves       listing and counting moves and semimoves
    listed      semisplit playouts for strategies without Mod
    guided      playouts that prefer the best scores
    numbered    moves as numbers, and guided playouts with them
    build       all functions of a game together
    large       what is different for large functions

From IR to calls:
    target      LLVM: optimising, machine code, linking
    compiled    a compiled game in memory, called from Python on states that are bytes
    cache       object code on disk
    compile     from text to a compiled game
    count       counting positions with compiled games
    engine      a compiled game behind the interface that it shares with the interpreter
"""
